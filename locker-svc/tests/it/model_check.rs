//! The bounded check of a model connection, against servers that behave and servers that do everything else.

use std::{
    io::{self, ErrorKind, Write},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use locker_svc::model_check::{Bounds, Checked, Endpoint, Outcome, check};
use rustls::RootCertStore;
use serde_json::{Value, json};
use shared_runtime::{Outbound, seal::Hidden, telemetry::Stopwatch};
use shared_testing::{
    rogue::{Rogue, Wire, answer, self_signed},
    run,
};
use tracing_subscriber::fmt::MakeWriter;

const KEY: &str = "sk-test-Zq3x7yLkP9mWn2XcVbNm";

/// As long as the real bounds allow, but for the time.
const QUICK: Bounds =
    Bounds { total: Duration::from_millis(600), models: Duration::from_millis(150), body_bytes: 65_536 };

/// Allowed to call this machine; every name leads here.
fn outbound() -> Outbound {
    Outbound::new(&["127.0.0.1".parse().expect("an address")]).with_resolver(|_| Ok(vec![[127, 0, 0, 1].into()]))
}

fn endpoint(base_url: String) -> Endpoint {
    Endpoint { base_url, model: "small".to_owned(), key: Some(Hidden::new(KEY.to_owned())) }
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
async fn checked(base_url: String, outbound: &Outbound) -> Checked {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone()).finish();
    let listening = tracing::subscriber::set_default(subscriber);
    tracing::trace!("listening");
    let stopwatch = Stopwatch::start();
    let checked = check(&endpoint(base_url), outbound, QUICK).await;
    let took = stopwatch.elapsed();
    drop(listening);
    let log = String::from_utf8_lossy(&log.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned();
    assert!(log.contains("listening"), "the log is seen");
    let all = format!("{log} {checked:?} {}", serde_json::to_string(&checked).expect("JSON"));
    for from in 0..KEY.len() - 7 {
        assert!(!all.contains(&KEY[from..from + 8]), "a piece of the key is in {all}");
    }
    assert!(took < QUICK.total * 3, "it took {took:?}");
    assert!(checked.note.as_ref().is_none_or(|note| note.chars().count() <= 200));
    assert!(checked.note_is_untrusted);
    checked
}

/// What comes of a server that answers everything like this.
async fn of(manner: impl Fn(&mut dyn Wire, &str) -> io::Result<()> + Send + Sync + 'static) -> Checked {
    let server = Rogue::http(manner);
    checked(format!("http://{}/v1", server.address), &outbound()).await
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

#[test]
fn a_good_model_is_asked_twice_and_the_key_stands_in_one_header() {
    run(async {
        let server = Rogue::http(|stream, request| {
            let is_list = request.starts_with("GET /v1/models HTTP/1.1\r\n");
            stream.write_all(if is_list { answer(200, "", "{}") } else { completion("ready") }.as_bytes())
        });
        let seen = checked(format!("http://models.example:{}/v1", server.address.port()), &outbound()).await;
        assert_eq!((seen.outcome, seen.http_status, seen.note.as_deref()), (Outcome::Ok, Some(200), Some("ready")));
        let phases = seen.phases;
        assert!(phases.dns_ms.is_some() && phases.connect_ms.is_some() && phases.tls_ms.is_none());
        assert!(phases.models_ms.is_some() && phases.chat_ms.is_some() && phases.total_ms < 600);

        let heard = server.heard();
        assert_eq!(heard.len(), 2);
        for request in &heard {
            assert_eq!(request.matches(KEY).count(), 1, "{request}");
            assert!(request.contains(&format!("authorization: Bearer {KEY}\r\n")), "{request}");
        }
        let (head, body) = heard[1].split_once("\r\n\r\n").expect("a body");
        assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{head}");
        let body: Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(
            (&body["model"], &body["max_tokens"], &body["stream"]),
            (&json!("small"), &json!(16), &json!(false))
        );
    });
}

#[test]
fn a_key_is_sent_only_where_there_is_one() {
    run(async {
        let server = Rogue::http(|stream, _| stream.write_all(completion("ready").as_bytes()));
        let keyless = Endpoint { key: None, ..endpoint(format!("http://{}", server.address)) };
        assert_eq!(check(&keyless, &outbound(), QUICK).await.outcome, Outcome::Ok);
        assert!(server.heard().iter().all(|request| !request.contains("authorization")));
    });
}

#[test]
fn a_model_that_knows_the_limit_by_its_other_name_is_asked_a_third_time() {
    run(async {
        let server = Rogue::http(|stream, request| {
            let refusal = json!({"message": "Unsupported parameter: 'max_tokens'", "param": "max_tokens", "code": "unsupported_parameter"});
            let is_new = request.contains("max_completion_tokens");
            stream.write_all(if is_new { completion("ready") } else { error(400, refusal) }.as_bytes())
        });
        let seen = checked(format!("http://{}/v1", server.address), &outbound()).await;
        assert_eq!((seen.outcome, server.connections()), (Outcome::Ok, 3));
        assert!(!server.heard()[2].contains("\"max_tokens\""));
    });
}

#[test]
fn nobody_is_asked_more_than_three_times() {
    run(async {
        let server = Rogue::http(|stream, _| {
            let refusal =
                json!({"message": "Unsupported: max_tokens and max_completion_tokens", "param": "max_tokens"});
            stream.write_all(error(400, refusal).as_bytes())
        });
        let seen = checked(format!("http://{}/v1", server.address), &outbound()).await;
        assert_eq!((seen.outcome, seen.http_status, server.connections()), (Outcome::ProviderError, Some(400), 3));
    });
}

#[test]
fn every_refusal_of_a_provider_has_its_outcome() {
    run(async {
        for (status, code, outcome) in [
            (400, "bad", Outcome::ProviderError),
            (400, "model_not_found", Outcome::ModelNotFound),
            (401, "invalid_api_key", Outcome::AuthRejected),
            (402, "", Outcome::QuotaExceeded),
            (403, "", Outcome::AuthRejected),
            (404, "model_not_found", Outcome::ModelNotFound),
            (429, "", Outcome::RateLimited),
            (429, "insufficient_quota", Outcome::QuotaExceeded),
            (500, "", Outcome::ProviderError),
            (502, "", Outcome::ProviderError),
            (503, "", Outcome::ProviderError),
        ] {
            let reply = error(status, json!({"message": "No,\u{202e} sorry.", "code": code}));
            let seen = of(move |stream, _| stream.write_all(reply.as_bytes())).await;
            assert_eq!((seen.outcome, seen.http_status), (outcome, Some(status)), "{status} {code}");
            assert_eq!(seen.note.as_deref(), Some("No, sorry."));
        }
    });
}

#[test]
fn a_server_that_never_answers_or_drips_is_left_in_time() {
    run(async {
        let silent = of(|stream, _| hold(stream)).await;
        assert_eq!(silent.outcome, Outcome::Timeout);
        assert!(silent.phases.models_ms.is_some() && silent.phases.chat_ms.is_some());
        let drip = |stream: &mut dyn Wire, text: &str| {
            for byte in text.bytes() {
                stream.write_all(&[byte])?;
                stream.flush()?;
                thread::sleep(Duration::from_millis(20));
            }
            Ok(())
        };
        assert_eq!(of(move |stream, _| drip(stream, &completion("slow").repeat(9))).await.outcome, Outcome::Timeout);
        let dripping_body = move |stream: &mut dyn Wire, _: &str| {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n")?;
            drip(stream, &" ".repeat(60_000))
        };
        assert_eq!(of(dripping_body).await.outcome, Outcome::Timeout);
        let informing = |stream: &mut dyn Wire, _: &str| for_ever(stream, b"HTTP/1.1 100 Continue\r\n\r\n");
        assert_eq!(of(informing).await.outcome, Outcome::Timeout);
    });
}

#[test]
fn a_list_of_models_that_never_comes_does_not_spoil_the_check() {
    run(async {
        let server = Rogue::http(|stream, request| {
            if request.starts_with("GET") { hold(stream) } else { stream.write_all(completion("ready").as_bytes()) }
        });
        let seen = checked(format!("http://{}/v1", server.address), &outbound()).await;
        assert_eq!(seen.outcome, Outcome::Ok);
    });
}

#[test]
fn a_gibibyte_is_not_read() {
    run(async {
        let piece = vec![b' '; 65_536];
        let declared = move |stream: &mut dyn Wire, _: &str| {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n")?;
            for_ever(stream, &piece)
        };
        assert_eq!(of(declared).await.outcome, Outcome::ResponseTooLarge);
        for head in ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n"] {
            let endless = move |stream: &mut dyn Wire, _: &str| {
                stream.write_all(head.as_bytes())?;
                for_ever(stream, &[b' '; 65_536])
            };
            assert_eq!(of(endless).await.outcome, Outcome::ResponseTooLarge, "{head}");
        }
        for chunk in ["1\r\n \r\n".repeat(1_000), format!("10000\r\n{}\r\n", " ".repeat(0x1_0000))] {
            let chunked = move |stream: &mut dyn Wire, _: &str| {
                stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
                for_ever(stream, chunk.as_bytes())
            };
            assert_eq!(of(chunked).await.outcome, Outcome::ResponseTooLarge);
        }
    });
}

#[test]
fn a_head_without_end_is_not_read() {
    run(async {
        let endless_field = |stream: &mut dyn Wire, _: &str| {
            stream.write_all(b"HTTP/1.1 200 OK\r\nX-Long: ")?;
            for_ever(stream, &[b'x'; 4_096])
        };
        assert_eq!(of(endless_field).await.outcome, Outcome::ResponseTooLarge);
        let endless_fields = |stream: &mut dyn Wire, _: &str| {
            stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
            for_ever(stream, b"X-Many: 1\r\n")
        };
        assert_eq!(of(endless_fields).await.outcome, Outcome::ResponseTooLarge);
    });
}

#[test]
fn what_is_no_completion_is_a_bad_response() {
    run(async {
        for reply in [
            answer(200, "Content-Type: text/html\r\n", "<html>Welcome!</html>"),
            answer(200, "", "{\"hello\": \"world\"}"),
            answer(200, "", "[]"),
            answer(200, "", &"[".repeat(60_000)),
            answer(200, "", "{\"choices\": [{\"message\": {\"content\": [1, 2]}}]}"),
            answer(200, "Content-Encoding: gzip\r\n", "\u{1f}\u{8b}\u{8}"),
            answer(204, "", ""),
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n".to_owned(),
            // Cut off in the body, before it, and in the head.
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"choices\"".to_owned(),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{".to_owned(),
            "HTTP/1.1 200 OK\r\nContent-Le".to_owned(),
            String::new(),
            // No HTTP/1.1.
            "<html>HTTP/0.9 needs no head</html>".to_owned(),
            "SSH-2.0-OpenSSH_9.2\r\n".to_owned(),
            "+OK ready\r\n".to_owned(),
            "\u{0}\u{1}\u{2}".repeat(1_000),
            "HTTP/1.1 twohundred OK\r\n\r\n".to_owned(),
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}".to_owned(),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n".to_owned(),
        ] {
            let sent = reply.clone();
            let seen = of(move |stream, _| stream.write_all(sent.as_bytes())).await;
            assert_eq!(seen.outcome, Outcome::BadResponse, "{}", &reply[..reply.len().min(80)]);
        }
    });
}

#[test]
fn an_echoed_key_leaves_no_note() {
    run(async {
        // Whatever header came in goes out again, in the several places where a provider might put it.
        let echo = |status: u16| {
            move |stream: &mut dyn Wire, request: &str| {
                let message = json!({"message": format!("You sent: {request}"), "code": "echo"});
                stream.write_all(error(status, message).as_bytes())
            }
        };
        for (status, outcome) in [(401, Outcome::AuthRejected), (500, Outcome::ProviderError)] {
            let seen = of(echo(status)).await;
            assert_eq!((seen.outcome, seen.note), (outcome, None));
        }
        let as_content = |stream: &mut dyn Wire, request: &str| stream.write_all(completion(request).as_bytes());
        let seen = of(as_content).await;
        assert_eq!((seen.outcome, seen.note), (Outcome::Ok, None));
        let in_header = |stream: &mut dyn Wire, _: &str| {
            stream.write_all(answer(302, &format!("Location: https://evil.example/?{KEY}\r\n"), "").as_bytes())
        };
        assert_eq!(of(in_header).await.outcome, Outcome::RedirectRefused);
    });
}

#[test]
fn a_redirect_into_this_machine_is_not_followed() {
    run(async {
        let trap = Rogue::trap("127.0.0.1:0");
        for status in [301, 302, 303, 307, 308] {
            let location = format!("Location: http://{}/v1/chat/completions\r\n", trap.address);
            let seen = of(move |stream, _| stream.write_all(answer(status, &location, "").as_bytes())).await;
            assert_eq!((seen.outcome, seen.http_status), (Outcome::RedirectRefused, Some(status)));
        }
        assert_eq!(trap.connections(), 0);
    });
}

#[test]
fn bad_tls_is_told_from_no_connection() {
    run(async {
        let good = |stream: &mut dyn Wire, _: &str| stream.write_all(completion("ready").as_bytes());
        let (tls, certificate) = self_signed(&["models.example"], |_| ());
        let trusting = |certificate| {
            let mut roots = RootCertStore::empty();
            roots.add(certificate).expect("an authority");
            outbound().with_roots(roots)
        };
        let at = |server: &Rogue, host: &str| format!("https://{host}:{}/v1", server.address.port());

        let server = Rogue::https(tls.clone(), good);
        let seen = checked(at(&server, "models.example"), &trusting(certificate.clone())).await;
        assert_eq!(seen.outcome, Outcome::Ok);
        assert!(seen.phases.tls_ms.is_some());
        let seen = checked(at(&server, "other.example"), &trusting(certificate)).await;
        assert_eq!(
            (seen.outcome, seen.reason.as_deref()),
            (Outcome::TlsFailed, Some("the certificate is for another name"))
        );
        let seen = checked(at(&server, "models.example"), &outbound()).await;
        assert_eq!(seen.outcome, Outcome::TlsFailed, "it signs itself");

        let (expired, certificate) = self_signed(&["models.example"], |params| {
            params.not_before = time::OffsetDateTime::UNIX_EPOCH;
            params.not_after = time::OffsetDateTime::UNIX_EPOCH + time::Duration::days(365);
        });
        let server = Rogue::https(expired, good);
        let seen = checked(at(&server, "models.example"), &trusting(certificate)).await;
        let why = "the certificate is not valid at this time";
        assert_eq!((seen.outcome, seen.reason.as_deref()), (Outcome::TlsFailed, Some(why)));

        let plain = Rogue::start("127.0.0.1:0", |stream, _| {
            let _ = stream.read(&mut [0; 1_000])?;
            stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        });
        let seen = checked(at(&plain, "models.example"), &outbound()).await;
        assert_eq!(
            (seen.outcome, seen.reason.as_deref()),
            (Outcome::TlsFailed, Some("what answers does not speak TLS"))
        );
        let rude = Rogue::trap("127.0.0.1:0");
        assert_eq!(checked(at(&rude, "models.example"), &outbound()).await.outcome, Outcome::TlsFailed);
        let silent = Rogue::start("127.0.0.1:0", |stream, _| hold(stream));
        let seen = checked(at(&silent, "models.example"), &outbound()).await;
        assert_eq!((seen.outcome, seen.phases.tls_ms), (Outcome::Timeout, None));
    });
}

#[test]
fn what_is_not_reached_says_why() {
    run(async {
        let closed = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let closed = format!("http://{}/v1", closed.expect("an address"));
        let nameless = outbound().with_resolver(|_| Err(ErrorKind::NotFound.into()));
        let inward = Outbound::new(&[]).with_resolver(|_| Ok(vec![[10, 0, 0, 1].into()]));
        let public = Outbound::new(&[]).with_resolver(|_| Ok(vec![[8, 8, 8, 8].into()]));
        for (outbound, url, outcome) in [
            (&outbound(), closed.as_str(), Outcome::ConnectFailed),
            (&nameless, "https://models.example/v1", Outcome::DnsFailed),
            (&inward, "https://models.example/v1", Outcome::AddressBlocked),
            (&inward, "https://169.254.169.254/v1", Outcome::AddressBlocked),
            (&public, "http://models.example/v1", Outcome::ConfigInvalid),
            (&public, "https://models.example:25/v1", Outcome::ConfigInvalid),
            (&public, "https://user@models.example/v1", Outcome::ConfigInvalid),
            (&public, "file:///etc/passwd", Outcome::ConfigInvalid),
        ] {
            let seen = checked(url.to_owned(), outbound).await;
            assert_eq!(seen.outcome, outcome, "{url}");
            assert_eq!((seen.http_status, seen.note, seen.phases.chat_ms), (None, None, None), "{url}");
        }
    });
}

#[test]
fn arbitrary_answers_have_an_outcome_too() {
    run(async {
        for seed in 0..40_u64 {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut noise = move || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state.to_be_bytes()[0]
            };
            let mut reply = if seed % 2 == 0 { completion("ready").into_bytes() } else { Vec::new() };
            reply.extend((0..200).map(|_| noise()));
            for _ in 0..seed % 7 {
                let at = usize::from(noise()) % reply.len();
                reply[at] = noise();
            }
            let seen = of(move |stream, _| stream.write_all(&reply)).await;
            assert!(seen.phases.chat_ms.is_some(), "{seen:?}");
        }
    });
}
