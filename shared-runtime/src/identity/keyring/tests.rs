//! Rotation, outages and garbage, against a small issuer.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicUsize, Ordering},
};

use ed25519_dalek::SigningKey;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    task::JoinHandle,
};

use super::{fetch_history::MAX_FETCHES, *};
use crate::identity::mint;

const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

/// A JWKS endpoint whose answer can be changed, and which counts requests.
struct Issuer {
    address: SocketAddr,
    answer: Arc<Mutex<String>>,
    asked: Arc<AtomicUsize>,
    serving: JoinHandle<()>,
}

impl Issuer {
    async fn at(address: &str, answer: String) -> Self {
        let listener = TcpListener::bind(address).await.expect("an address");
        let address = listener.local_addr().expect("an address");
        let (answer, asked) = (Arc::new(Mutex::new(answer)), Arc::new(AtomicUsize::new(0)));
        let (said, counter) = (Arc::clone(&answer), Arc::clone(&asked));
        let serving = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                let answer = said.lock().expect("not poisoned").clone();
                tokio::spawn(async move {
                    let mut request = [0; 2048];
                    let _ = stream.read(&mut request).await;
                    let _ = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        Self { address, answer, asked, serving }
    }

    async fn with(kids: &[&str]) -> Self {
        Self::at("127.0.0.1:0", ok(&jwks(kids))).await
    }

    fn keyring(&self) -> Arc<Keyring> {
        Keyring::new(JwksSource::Url(format!("http://{}/jwks", self.address)))
    }

    fn says(&self, answer: String) {
        *self.answer.lock().expect("not poisoned") = answer;
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    async fn stop(self) -> String {
        self.serving.abort();
        let _ = self.serving.await;
        self.address.to_string()
    }
}

fn jwks(kids: &[&str]) -> String {
    let key = |kid: &str| SigningKey::from_bytes(&[kid.as_bytes()[0]; 32]).verifying_key();
    mint::jwks(&kids.iter().map(|kid| (*kid, key(kid))).collect::<Vec<_>>()).to_string()
}

fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

async fn find(keyring: &Arc<Keyring>, clock: &Clock, kid: &str) -> Result<(), KeyError> {
    keyring.key(clock, kid, Algorithm::EdDSA).await.map(|_| ())
}

fn is_unknown(outcome: Result<(), KeyError>) -> bool {
    matches!(outcome, Err(KeyError::Unavailable { after_seconds }) if after_seconds >= 1)
}

#[tokio::test]
async fn keys_are_fetched_once_however_many_ask() {
    let (issuer, clock) = (Issuer::with(&["a"]).await, Clock::at(NOW));
    let keyring = issuer.keyring();
    let all = (0..20).map(|_| find(&keyring, &clock, "a"));
    assert!(futures_util::future::join_all(all).await.iter().all(Result::is_ok));
    assert_eq!(issuer.asked(), 1);
}

#[tokio::test]
async fn tokens_are_accepted_once_an_issuer_that_was_down_at_the_start_is_back() {
    let (issuer, clock) = (Issuer::with(&["a"]).await, Clock::at(NOW));
    let keyring = issuer.keyring();
    let address = issuer.stop().await;
    assert!(is_unknown(find(&keyring, &clock, "a").await));
    let issuer = Issuer::at(&address, ok(&jwks(&["a"]))).await;
    assert!(is_unknown(find(&keyring, &clock, "a").await), "a failed fetch is not repeated at once");
    assert_eq!(issuer.asked(), 0);
    clock.advance(RETRY);
    assert_eq!(find(&keyring, &clock, "a").await, Ok(()));
}

#[tokio::test]
async fn the_first_token_of_a_new_key_waits_for_it() {
    let (issuer, clock) = (Issuer::with(&["a"]).await, Clock::at(NOW));
    let keyring = issuer.keyring();
    assert_eq!(find(&keyring, &clock, "a").await, Ok(()));
    issuer.says(ok(&jwks(&["a", "b"])));
    assert_eq!(find(&keyring, &clock, "b").await, Ok(()));
    assert_eq!(find(&keyring, &clock, "a").await, Ok(()));
}

#[tokio::test]
async fn a_withdrawn_key_is_no_longer_trusted() {
    let (issuer, clock) = (Issuer::with(&["a"]).await, Clock::at(NOW));
    let keyring = issuer.keyring();
    let key = keyring.key(&clock, "a", Algorithm::EdDSA).await.expect("the key");
    assert!(keyring.has(&key, NOW));
    issuer.says(ok(&jwks(&["a", "b"])));
    assert_eq!(find(&keyring, &clock, "b").await, Ok(()));
    assert!(keyring.has(&key, NOW), "it is still published");
    issuer.says(ok(&jwks(&["b"])));
    clock.advance(REFRESH_AGE);
    keyring.refresh_if_due(&clock).await;
    assert!(!keyring.has(&key, clock.now()));
    clock.advance(COOLDOWN);
    assert_eq!(find(&keyring, &clock, "a").await, Err(KeyError::Refused));
}

#[tokio::test]
async fn a_failed_refresh_keeps_the_keys() {
    let (issuer, clock) = (Issuer::with(&["a"]).await, Clock::at(NOW));
    let keyring = issuer.keyring();
    assert_eq!(find(&keyring, &clock, "a").await, Ok(()));
    let long = format!("{{\"keys\":[],\"pad\":\"{}\"}}", "x".repeat(300_000));
    for answer in [
        "HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n".to_owned(),
        "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n".to_owned(),
        ok("<html>"),
        ok(&long),
        "nonsense".to_owned(),
    ] {
        issuer.says(answer.clone());
        clock.advance(COOLDOWN);
        assert!(is_unknown(find(&keyring, &clock, "b").await), "{answer:.40}");
        assert_eq!(find(&keyring, &clock, "a").await, Ok(()), "{answer:.40}");
    }
}

#[tokio::test]
async fn a_key_set_without_keys_withdraws_them_all() {
    let (issuer, clock) = (Issuer::with(&["a"]).await, Clock::at(NOW));
    let keyring = issuer.keyring();
    assert_eq!(find(&keyring, &clock, "a").await, Ok(()));
    issuer.says(ok(r#"{"keys":[]}"#));
    clock.advance(REFRESH_AGE);
    keyring.refresh_if_due(&clock).await;
    assert_eq!(find(&keyring, &clock, "a").await, Err(KeyError::Refused));
}

#[tokio::test]
async fn pauses_grow_while_the_issuer_cannot_be_reached() {
    let (issuer, clock) = (Issuer::with(&["a"]).await, Clock::at(NOW));
    let keyring = issuer.keyring();
    issuer.says("nonsense".to_owned());
    let mut pauses = Vec::new();
    for _ in 0..8 {
        let pause = keyring.refresh_if_due(&clock).await;
        clock.advance(pause);
        pauses.push(pause.as_secs());
    }
    assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60]);
}

#[tokio::test]
async fn keys_that_came_while_the_clock_was_ahead_are_fetched_again() {
    let (issuer, clock) = (Issuer::with(&["a"]).await, Clock::at(NOW));
    let keyring = issuer.keyring();
    let ahead = Clock::at(NOW.plus(Duration::from_secs(3600)));
    assert_eq!(find(&keyring, &ahead, "a").await, Ok(()));
    issuer.says("nonsense".to_owned());
    assert_eq!(keyring.refresh_if_due(&clock).await, 10 * RETRY);
    issuer.says(ok(&jwks(&["b"])));
    clock.advance(10 * RETRY);
    keyring.refresh_if_due(&clock).await;
    assert!(keyring.cached_key(clock.now(), "a", Algorithm::EdDSA).is_none(), "it is withdrawn");
    assert!(keyring.cached_key(clock.now(), "b", Algorithm::EdDSA).is_some());
}

#[tokio::test]
async fn keys_that_could_not_be_refreshed_for_six_hours_are_not_trusted() {
    let (issuer, clock) = (Issuer::with(&["a"]).await, Clock::at(NOW));
    let keyring = issuer.keyring();
    let key = keyring.key(&clock, "a", Algorithm::EdDSA).await.expect("the key");
    let address = issuer.stop().await;
    clock.advance(MAX_KEY_AGE);
    assert_eq!(find(&keyring, &clock, "a").await, Ok(()));
    clock.advance(Duration::from_secs(1));
    assert!(is_unknown(find(&keyring, &clock, "a").await));
    assert!(!keyring.has(&key, clock.now()));
    let _issuer = Issuer::at(&address, ok(&jwks(&["a"]))).await;
    clock.advance(RETRY);
    assert_eq!(find(&keyring, &clock, "a").await, Ok(()));
    assert!(keyring.has(&key, clock.now()), "the same key as before");
}

#[tokio::test]
async fn garbage_causes_two_fetches_and_no_new_key_is_refused() {
    let (issuer, clock) = (Issuer::with(&["a"]).await, Clock::at(NOW));
    let keyring = issuer.keyring();
    assert_eq!(find(&keyring, &clock, "a").await, Ok(()));
    clock.advance(COOLDOWN);
    let before = issuer.asked();
    for number in 0..2_000 {
        let outcome = find(&keyring, &clock, &format!("garbage{number}")).await;
        assert_ne!(outcome, Ok(()));
        assert_eq!(outcome == Err(KeyError::Refused), number < 2, "{number}");
    }
    assert_eq!(issuer.asked() - before, MAX_FETCHES);
    assert_eq!(find(&keyring, &clock, "garbage0").await, Err(KeyError::Refused), "remembered");
    issuer.says(ok(&jwks(&["a", "b"])));
    assert!(is_unknown(find(&keyring, &clock, "b").await), "not refused: we have not asked since");
    clock.advance(COOLDOWN);
    assert_eq!(find(&keyring, &clock, "b").await, Ok(()));
}

#[tokio::test]
async fn a_fetch_that_began_before_a_token_came_does_not_refuse_it() {
    let (issuer, clock) = (Issuer::with(&["a"]).await, Clock::at(NOW));
    let keyring = issuer.keyring();
    let first = find(&keyring, &clock, "b");
    let second = find(&keyring, &clock, "c");
    let (first, second) = tokio::join!(first, async {
        // The key is published while the first fetch runs.
        tokio::task::yield_now().await;
        issuer.says(ok(&jwks(&["a", "c"])));
        second.await
    });
    assert_eq!(second, Ok(()));
    assert_eq!(first, Err(KeyError::Refused));
}

#[tokio::test]
async fn a_file_is_read_again_when_it_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("jwks.json");
    let (keyring, clock) = (Keyring::new(JwksSource::File(path.clone())), Clock::at(NOW));
    assert!(is_unknown(find(&keyring, &clock, "a").await), "there is no file yet");
    std::fs::write(&path, jwks(&["a"])).expect("written");
    clock.advance(RETRY);
    assert_eq!(find(&keyring, &clock, "a").await, Ok(()));
    std::fs::write(&path, jwks(&["b"])).expect("written");
    let later = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(2_000_000_000);
    std::fs::File::options().append(true).open(&path).and_then(|file| file.set_modified(later)).expect("touched");
    keyring.refresh_if_due(&clock).await;
    assert!(matches!(keyring.find(NOW, "b", Algorithm::EdDSA), Some(KeyLookup::Found(_))));
    assert!(matches!(keyring.find(NOW, "a", Algorithm::EdDSA), Some(KeyLookup::NotFound)));
}
