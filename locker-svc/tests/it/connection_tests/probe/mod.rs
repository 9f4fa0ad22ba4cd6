//! The bounded check of a model connection, against servers that behave and servers that do everything else.

mod hostile;
mod reach;

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use locker_svc::connection_tests::probe::{ModelEndpoint, ProbeLimits, ProbeOutcome, ProbeReport, probe};
use secrecy::SecretString;
use serde_json::{Value, json};
use shared_runtime::{Outbound, base::telemetry::Stopwatch};
use shared_testing::hostile_server::{HostileServer, Wire, answer};
use tracing_subscriber::fmt::MakeWriter;

const KEY: &str = "sk-test-Zq3x7yLkP9mWn2XcVbNm";

/// As the real bounds, but for the time: for servers that would use all of it up.
const HASTY: ProbeLimits =
    ProbeLimits { total: Duration::from_millis(600), models: Duration::from_millis(150), body_bytes: 65_536 };

/// Allowed to call this machine; every name leads here.
fn outbound() -> Outbound {
    Outbound::new(&["127.0.0.1/32".parse().expect("a network")]).with_resolver(|_| Ok(vec![[127, 0, 0, 1].into()]))
}

fn endpoint(base_url: String) -> ModelEndpoint {
    ModelEndpoint { base_url, model: "small".to_owned(), key: Some(SecretString::from(KEY)) }
}

/// Everything that is logged on this thread, at every level.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Checks, and looks for the key in all that comes of it.
async fn checked(base_url: String, outbound: &Outbound, limits: ProbeLimits) -> ProbeReport {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone()).finish();
    let listening = tracing::subscriber::set_default(subscriber);
    tracing::trace!("listening");
    let stopwatch = Stopwatch::start();
    let checked = probe(&endpoint(base_url), outbound, limits).await;
    let took = stopwatch.elapsed();
    drop(listening);
    let log = String::from_utf8_lossy(&log.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned();
    assert!(log.contains("listening"), "the log is seen");
    let all = format!("{log} {checked:?} {}", serde_json::to_string(&checked).expect("JSON"));
    for from in 0..KEY.len() - 7 {
        assert!(!all.contains(&KEY[from..from + 8]), "a piece of the key is in {all}");
    }
    assert!(took < Duration::from_secs(20), "it took {took:?}");
    assert!(checked.note.as_ref().is_none_or(|note| note.chars().count() <= 200));
    assert!(checked.note_is_untrusted);
    checked
}

/// What comes of a server that answers everything like this.
async fn of(manner: impl Fn(&mut dyn Wire, &str) -> io::Result<()> + Send + Sync + 'static) -> ProbeReport {
    let server = HostileServer::http(manner);
    checked(format!("http://{}/v1", server.address), &outbound(), ProbeLimits::default()).await
}

/// The same in haste.
async fn left_by(manner: impl Fn(&mut dyn Wire, &str) -> io::Result<()> + Send + Sync + 'static) -> ProbeReport {
    let server = HostileServer::http(manner);
    checked(format!("http://{}/v1", server.address), &outbound(), HASTY).await
}

fn completion(content: &str) -> String {
    let body = json!({"choices": [{"index": 0, "message": {"role": "assistant", "content": content}}]});
    answer(200, "Content-Type: application/json\r\n", &body.to_string())
}

fn error(status: u16, error: Value) -> String {
    answer(status, "Content-Type: application/json\r\n", &json!({ "error": error }).to_string())
}

/// Writes this for as long as anybody listens.
fn for_ever(stream: &mut dyn Wire, piece: &[u8]) -> io::Result<()> {
    loop {
        stream.write_all(piece)?;
    }
}

/// Holds the connection until the other side gives up.
fn hold(stream: &mut dyn Wire) -> io::Result<()> {
    while stream.read(&mut [0; 100])? > 0 {}
    Ok(())
}

#[shared_testing::test]
async fn a_good_model_gets_two_requests_with_the_key_in_one_header() {
    let server = HostileServer::http(|stream, request| {
        let is_list = request.starts_with("GET /v1/models HTTP/1.1\r\n");
        stream.write_all(if is_list { answer(200, "", "{}") } else { completion("ready") }.as_bytes())
    });
    let seen =
        checked(format!("http://models.example:{}/v1", server.address.port()), &outbound(), ProbeLimits::default())
            .await;
    assert_eq!((seen.outcome, seen.http_status, seen.note.as_deref()), (ProbeOutcome::Ok, Some(200), Some("ready")));
    let phases = seen.phases;
    assert!(phases.dns_ms.is_some() && phases.connect_ms.is_some() && phases.tls_ms.is_none());
    assert!(phases.models_ms.is_some() && phases.chat_ms.is_some());

    let heard = server.requests();
    assert_eq!(heard.len(), 2);
    for request in &heard {
        assert_eq!(request.matches(KEY).count(), 1, "{request}");
        assert!(request.contains(&format!("authorization: Bearer {KEY}\r\n")), "{request}");
    }
    let (head, body) = heard[1].split_once("\r\n\r\n").expect("a body");
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{head}");
    let body: Value = serde_json::from_str(body).expect("JSON");
    assert_eq!((&body["model"], &body["max_tokens"], &body["stream"]), (&json!("small"), &json!(16), &json!(false)));
}

#[shared_testing::test]
async fn a_key_is_sent_only_if_one_is_configured() {
    let server = HostileServer::http(|stream, _| stream.write_all(completion("ready").as_bytes()));
    let keyless = ModelEndpoint { key: None, ..endpoint(format!("http://{}", server.address)) };
    assert_eq!(probe(&keyless, &outbound(), ProbeLimits::default()).await.outcome, ProbeOutcome::Ok);
    assert!(server.requests().iter().all(|request| !request.contains("authorization")));
}

#[shared_testing::test]
async fn a_model_with_the_newer_limit_name_gets_a_third_request() {
    let server = HostileServer::http(|stream, request| {
        let refusal = json!({"message": "Unsupported parameter: 'max_tokens'", "param": "max_tokens", "code": "unsupported_parameter"});
        let is_new = request.contains("max_completion_tokens");
        stream.write_all(if is_new { completion("ready") } else { error(400, refusal) }.as_bytes())
    });
    let seen = checked(format!("http://{}/v1", server.address), &outbound(), ProbeLimits::default()).await;
    assert_eq!((seen.outcome, server.connections()), (ProbeOutcome::Ok, 3));
    assert!(!server.requests()[2].contains("\"max_tokens\""));
}

#[shared_testing::test]
async fn no_endpoint_gets_more_than_three_requests() {
    let server = HostileServer::http(|stream, _| {
        let refusal = json!({"message": "Unsupported: max_tokens and max_completion_tokens", "param": "max_tokens"});
        stream.write_all(error(400, refusal).as_bytes())
    });
    let seen = checked(format!("http://{}/v1", server.address), &outbound(), ProbeLimits::default()).await;
    assert_eq!((seen.outcome, seen.http_status, server.connections()), (ProbeOutcome::ProviderError, Some(400), 3));
}

#[shared_testing::test]
async fn every_refusal_of_a_provider_has_its_outcome() {
    for (status, code, outcome) in [
        (400, "bad", ProbeOutcome::ProviderError),
        (400, "model_not_found", ProbeOutcome::ModelNotFound),
        (401, "invalid_api_key", ProbeOutcome::AuthRejected),
        (402, "", ProbeOutcome::QuotaExceeded),
        (403, "", ProbeOutcome::AuthRejected),
        (404, "model_not_found", ProbeOutcome::ModelNotFound),
        (429, "", ProbeOutcome::RateLimited),
        (429, "insufficient_quota", ProbeOutcome::QuotaExceeded),
        (500, "", ProbeOutcome::ProviderError),
        (502, "", ProbeOutcome::ProviderError),
        (503, "", ProbeOutcome::ProviderError),
    ] {
        let reply = error(status, json!({"message": "No,\u{202e} sorry.", "code": code}));
        let seen = of(move |stream, _| stream.write_all(reply.as_bytes())).await;
        assert_eq!((seen.outcome, seen.http_status), (outcome, Some(status)), "{status} {code}");
        let note = (outcome != ProbeOutcome::AuthRejected).then_some("No, sorry.");
        assert_eq!(seen.note.as_deref(), note, "{status}: a server that refuses a key may quote it");
    }
}
