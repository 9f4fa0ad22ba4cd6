//! The service is killed while it writes and indexes.

use std::time::Duration;

use cloud_svc::service;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use serde_json::json;
use shared_testing::{ServiceProcess, Text as _};

use super::all;

const PROGRAM: &str = env!("CARGO_BIN_EXE_cloud-svc");
// A short lease: the next process takes the job over at once.
const SETTINGS: &[(&str, &str)] =
    &[("RATE_LIMITS", "read=1000000,write=1000000"), ("FAILPOINTS", "jobs::lease_ms=return(400)")];
const ROUNDS: usize = 6;

#[shared_testing::test]
async fn what_was_answered_is_found_after_kills() {
    let mut cloud = ServiceProcess::of(PROGRAM, service(), SETTINGS).await;
    let mut random = StdRng::seed_from_u64(29);
    let mut answered = Vec::new();
    for round in 0..ROUNDS {
        let ada = cloud.caller("ada");
        // The job runs a second after a write, so some kills meet it.
        let length = Duration::from_millis(random.random_range(300..2_500));
        let write = async {
            for number in 0.. {
                let block =
                    json!({"id": "b1", "type": "paragraph", "segments": [{"text": format!("survivor {number}")}]});
                let body = json!({"name": format!("Round {round}"), "content": {"kind": "docs", "blocks": [block]}});
                let created = ada.post("/v1/documents").fresh_key().json(body).await.status(200);
                answered.push(created["file"]["id"].text().to_owned());
            }
        };
        // The rest of the last request is cut off with the process.
        let _ = tokio::time::timeout(length, write).await;
        cloud.kill();
        cloud.start(SETTINGS).await;
        let found = all(&cloud.caller("ada"), "text=survivor", 100).await;
        let found: Vec<_> = found.iter().map(|item| item["file"]["id"].text()).collect();
        let lost: Vec<_> = answered.iter().filter(|id| !found.contains(&id.as_str())).collect();
        assert!(lost.is_empty(), "round {round}: {lost:?}");
        assert_eq!(found.len(), usize::try_from(cloud.count("files")).expect("a count"), "round {round}");
        let check = cloud.command(&["search", "check"]).output().expect("the command runs");
        assert!(check.status.success(), "round {round}: {check:?}");
    }
    while cloud.count("jobs") > 0 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(cloud.count("search_segments") > 0);
    let check = cloud.command(&["search", "check"]).output().expect("the command runs");
    assert!(check.status.success(), "{check:?}");
}
