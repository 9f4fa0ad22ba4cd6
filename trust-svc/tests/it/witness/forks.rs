//! Of two forks, a witness cosigns one.

use shared_testing::{ServiceProcess, together};
use trust_svc::witness::{self, Witness};

use super::{cosigned, cosigner, has_size, refused, send, watching};
use crate::test_log::TestLog;

fn forks() -> (TestLog, TestLog) {
    let common = || TestLog::new("log.example/a").with(5, "entry");
    (common().with(9, "one"), common().with(9, "other"))
}

#[shared_testing::test]
async fn a_later_fork_is_refused() {
    let (one, other) = forks();
    let stage = watching(&one).await;
    cosigned(send(&stage.anyone(), one.request(0, 5)).await, &one.checkpoint(5));
    cosigned(send(&stage.anyone(), one.request(5, 9)).await, &one.checkpoint(9));
    has_size(send(&stage.anyone(), other.request(5, 9)).await, 9);
    refused(send(&stage.anyone(), other.request(9, 9)).await, 409, "root");
    let later = other.with(12, "other");
    refused(send(&stage.anyone(), later.request(9, 12)).await, 422, "root");
    cosigned(send(&stage.anyone(), one.request(9, 9)).await, &one.checkpoint(9));
}

#[shared_testing::test]
async fn ten_forks_at_once_get_one_cosignature() {
    let (one, other) = forks();
    let stage = watching(&one).await;
    cosigned(send(&stage.anyone(), one.request(0, 5)).await, &one.checkpoint(5));
    let requests = (0..10).map(|number| {
        let log = if number % 2 == 0 { &one } else { &other };
        send(&stage.anyone(), log.request(5, 9))
    });
    let answers = together(requests).await;
    let of = |statuses: Vec<u16>| statuses.iter().filter(|status| **status == 200).count();
    assert_eq!(of(answers.iter().map(|response| response.status).collect()), 1, "one is the first, nine are late");
    answers.into_iter().filter(|response| response.status != 200).for_each(|response| has_size(response, 9));
    // Asking again for both shows which of the two it was.
    let again = together([&one, &other].map(|log| send(&stage.anyone(), log.request(9, 9)))).await;
    let mut statuses: Vec<_> = again.iter().map(|response| response.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
}

#[shared_testing::test]
async fn a_witness_that_was_killed_after_storing_answers_the_retry_and_no_fork() {
    let (one, other) = forks();
    let folder = tempfile::tempdir().expect("a folder");
    let key = folder.path().join("key.pem").display().to_string();
    let log_key = one.key().to_string();
    let environment = [("WITNESS_NAME", "witness.example/w2"), ("WITNESS_KEY", &key), ("WITNESS_LOGS", &log_key)];
    let service = witness::service(Witness::new(cosigner(), vec![one.key().clone()]).expect("a witness"));
    let hang = [&environment[..], &[("WITNESS_NEW", "true"), ("FAILPOINTS", "witness::stored=return")]].concat();
    let binary = env!("CARGO_BIN_EXE_trust-svc");
    let mut process = ServiceProcess::by_command(binary, &["witness"], service, &hang).await;
    let anyone = process.anyone();
    tokio::select! {
        biased;
        response = send(&anyone, one.request(0, 9)).send() => panic!("the witness was to hang: {response:?}"),
        () = async {
            while process.count("witnessed_checkpoints") == 0 {
                tokio::task::yield_now().await;
            }
        } => process.kill(),
    }

    process.start(&environment).await;
    has_size(send(&anyone, one.request(0, 9)).await, 9);
    send(&anyone, one.request(9, 9)).await.status(200);
    refused(send(&anyone, other.request(9, 9)).await, 409, "root");
}
