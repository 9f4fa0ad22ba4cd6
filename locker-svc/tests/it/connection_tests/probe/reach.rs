//! Endpoints that are not reached, and why.

use std::{io::ErrorKind, thread};

use locker_svc::connection_tests::probe::{ProbeLimits, ProbeOutcome};
use rustls::RootCertStore;
use shared_runtime::Outbound;
use shared_testing::hostile_server::{HostileServer, Wire, answer, self_signed};

use super::{HASTY, checked, completion, hold, of, outbound};

#[shared_testing::test]
async fn bad_tls_and_no_connection_are_different_outcomes() {
    let good = |stream: &mut dyn Wire, _: &str| stream.write_all(completion("ready").as_bytes());
    let (tls, certificate) = self_signed(&["models.example"], |_| ());
    let trusting = |certificate| {
        let mut roots = RootCertStore::empty();
        roots.add(certificate).expect("an authority");
        outbound().with_roots(roots)
    };
    let at = |server: &HostileServer, host: &str| format!("https://{host}:{}/v1", server.address.port());

    let server = HostileServer::https(tls.clone(), good);
    let seen = checked(at(&server, "models.example"), &trusting(certificate.clone()), ProbeLimits::default()).await;
    assert_eq!(seen.outcome, ProbeOutcome::Ok);
    assert!(seen.phases.tls_ms.is_some());
    let seen = checked(at(&server, "other.example"), &trusting(certificate), ProbeLimits::default()).await;
    assert_eq!((seen.outcome, seen.reason), (ProbeOutcome::TlsFailed, Some("the certificate is for another name")));
    let seen = checked(at(&server, "models.example"), &outbound(), ProbeLimits::default()).await;
    assert_eq!(seen.outcome, ProbeOutcome::TlsFailed, "it signs itself");

    let (expired, certificate) = self_signed(&["models.example"], |params| {
        params.not_before = time::OffsetDateTime::UNIX_EPOCH;
        params.not_after = time::OffsetDateTime::UNIX_EPOCH + time::Duration::days(365);
    });
    let server = HostileServer::https(expired, good);
    let seen = checked(at(&server, "models.example"), &trusting(certificate), ProbeLimits::default()).await;
    let why = "the certificate is not valid at this time";
    assert_eq!((seen.outcome, seen.reason), (ProbeOutcome::TlsFailed, Some(why)));

    let plain = HostileServer::start("127.0.0.1:0", |stream, _| {
        let _ = stream.read(&mut [0; 1_000])?;
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    });
    let seen = checked(at(&plain, "models.example"), &outbound(), ProbeLimits::default()).await;
    assert_eq!((seen.outcome, seen.reason), (ProbeOutcome::TlsFailed, Some("the server does not speak TLS")));
    let rude = HostileServer::trap("127.0.0.1:0");
    assert_eq!(
        checked(at(&rude, "models.example"), &outbound(), ProbeLimits::default()).await.outcome,
        ProbeOutcome::TlsFailed
    );
    let silent = HostileServer::start("127.0.0.1:0", |stream, _| hold(stream));
    let seen = checked(at(&silent, "models.example"), &outbound(), HASTY).await;
    assert_eq!((seen.outcome, seen.phases.tls_ms), (ProbeOutcome::Timeout, None));
}

#[shared_testing::test]
async fn an_unreachable_endpoint_has_a_reason() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let closed = format!("http://{}/v1", closed.expect("an address"));
    let nameless = outbound().with_resolver(|_| Err(ErrorKind::NotFound.into()));
    let inward = Outbound::new(&[]).with_resolver(|_| Ok(vec![[10, 0, 0, 1].into()]));
    let public = Outbound::new(&[]).with_resolver(|_| Ok(vec![[8, 8, 8, 8].into()]));
    for (outbound, url, outcome) in [
        (&outbound(), closed.as_str(), ProbeOutcome::ConnectFailed),
        (&nameless, "https://models.example/v1", ProbeOutcome::DnsFailed),
        (&inward, "https://models.example/v1", ProbeOutcome::AddressBlocked),
        (&inward, "https://169.254.169.254/v1", ProbeOutcome::AddressBlocked),
        (&public, "http://models.example/v1", ProbeOutcome::ConfigInvalid),
        (&public, "https://models.example:25/v1", ProbeOutcome::ConfigInvalid),
        (&public, "https://user@models.example/v1", ProbeOutcome::ConfigInvalid),
        (&public, "file:///etc/passwd", ProbeOutcome::ConfigInvalid),
    ] {
        let seen = checked(url.to_owned(), outbound, ProbeLimits::default()).await;
        assert_eq!(seen.outcome, outcome, "{url}");
        assert_eq!((seen.http_status, seen.note, seen.phases.chat_ms), (None, None, None), "{url}");
    }
}

#[shared_testing::test]
async fn a_silent_name_server_is_abandoned_in_time() {
    let asleep = outbound().with_resolver(|_| {
        thread::sleep(HASTY.total * 2);
        Ok(Vec::new())
    });
    let seen = checked("https://models.example/v1".to_owned(), &asleep, HASTY).await;
    assert_eq!((seen.outcome, seen.phases.connect_ms), (ProbeOutcome::Timeout, None));
}

#[shared_testing::test]
async fn a_redirect_into_this_machine_is_not_followed() {
    let trap = HostileServer::trap("127.0.0.1:0");
    for status in [301, 302, 303, 307, 308] {
        let location = format!("Location: http://{}/v1/chat/completions\r\n", trap.address);
        let seen = of(move |stream, _| stream.write_all(answer(status, &location, "").as_bytes())).await;
        assert_eq!((seen.outcome, seen.http_status), (ProbeOutcome::RedirectRefused, Some(status)));
    }
    assert_eq!(trap.connections(), 0);
}
