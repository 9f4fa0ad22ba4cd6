//! Single attempts at endpoints that fail in all ways.

use cloud_svc::{
    base::ids::EventId,
    news::webhooks::{
        deliveries::delivery::DueDelivery,
        dispatch::endpoint::{AttemptError, Endpoint, FailedAttempt, Timeouts},
        signing_secret::Signer,
    },
};
use rustls::RootCertStore;
use shared_runtime::{Outbound, state::outbound::ConnectionPool};
use shared_testing::hostile_server::self_signed;

use super::*;

/// For servers that hang.
const SHORT: Timeouts = Timeouts { connect: Duration::from_millis(300), total: Duration::from_millis(500) };
/// More than a slow machine needs for an answer.
const LONG: Timeouts = Timeouts { connect: Duration::from_secs(20), total: Duration::from_secs(20) };

/// A client that may call this machine; each name resolves to it.
fn outbound() -> Outbound {
    Outbound::new(&["127.0.0.1/32".parse().expect("a network")]).with_resolver(|_| Ok(vec![[127, 0, 0, 1].into()]))
}

async fn attempted(outbound: Outbound, url: &str) -> Result<(), FailedAttempt> {
    attempted_within(LONG, outbound, url).await
}

async fn attempted_within(timeouts: Timeouts, outbound: Outbound, url: &str) -> Result<(), FailedAttempt> {
    let connections = ConnectionPool::new(outbound);
    let endpoint =
        Endpoint { connections: &connections, url: url.to_owned(), signer: Signer::default(), challenge: None };
    let delivery = DueDelivery {
        id: 1,
        event_id: EventId::from_bytes([7; 16]),
        kind: "webhook.ping".to_owned(),
        body: "{}".to_owned(),
        attempts: 0,
    };
    endpoint.attempt(&delivery, 1_800_000_000, timeouts).await
}

/// The `last_error` of an attempt at a server that does this.
async fn error(manner: impl Fn(&mut dyn Wire, &str) -> io::Result<()> + Send + Sync + 'static) -> String {
    error_within(LONG, manner).await
}

async fn error_within(
    timeouts: Timeouts,
    manner: impl Fn(&mut dyn Wire, &str) -> io::Result<()> + Send + Sync + 'static,
) -> String {
    let server = HostileServer::http(manner);
    let url = format!("http://{}/", server.address);
    attempted_within(timeouts, outbound(), &url).await.expect_err("a failure").error.to_string()
}

#[shared_testing::test]
async fn every_way_to_fail_has_its_word() {
    for (status, word) in
        [(301, "redirect"), (307, "redirect"), (400, "http_400"), (410, "gone"), (429, "http_429"), (503, "http_503")]
    {
        assert_eq!(error(move |stream, _| stream.write_all(answer(status, "", "").as_bytes())).await, word);
    }
    let hang = |stream: &mut dyn Wire, _: &str| {
        while stream.read(&mut [0; 100])? > 0 {}
        Ok(())
    };
    assert_eq!(error_within(SHORT, hang).await, "timeout");
    let drip = |stream: &mut dyn Wire, _: &str| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")?;
        loop {
            stream.write_all(b"x")?;
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    assert_eq!(error_within(SHORT, drip).await, "timeout");
    assert_eq!(error(|_, _| Ok(())).await, "connect");
    assert_eq!(error(|stream, _| stream.write_all(b"SSH-2.0-OpenSSH_9.9\r\n")).await, "connect");
    let closed = HostileServer::trap("127.0.0.1:0").address;
    let failed = attempted(outbound(), &format!("http://{closed}/")).await.expect_err("a failure");
    assert_eq!(failed.error, AttemptError::Connect);
}

#[shared_testing::test]
async fn an_endless_answer_is_read_only_in_part() {
    let endless = |stream: &mut dyn Wire, _: &str| {
        stream.write_all(b"HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n")?;
        loop {
            stream.write_all(b"400\r\n")?;
            stream.write_all(&[b'x'; 1024])?;
            stream.write_all(b"\r\n")?;
        }
    };
    let server = HostileServer::http(endless);
    assert_eq!(attempted(outbound(), &format!("http://{}/", server.address)).await, Ok(()));
}

#[shared_testing::test]
async fn an_endpoint_says_when_it_wants_to_be_called_again() {
    for (value, asked) in [("120", Some(120)), ("soon", None), ("-1", None), ("99999999999999999999999", None)] {
        let server = HostileServer::http(move |stream, _| {
            stream.write_all(answer(503, &format!("Retry-After: {value}\r\n"), "").as_bytes())
        });
        let failed = attempted(outbound(), &format!("http://{}/", server.address)).await.expect_err("503");
        assert_eq!(failed.retry_after, asked.map(Duration::from_secs), "{value}");
    }
}

#[shared_testing::test]
async fn a_certificate_needs_a_trusted_authority_and_the_right_name() {
    let (tls, certificate) = self_signed(&["hooks.example"], |_| {});
    let server = HostileServer::https(tls, |stream, _| stream.write_all(answer(200, "", "").as_bytes()));
    let mut roots = RootCertStore::empty();
    roots.add(certificate).expect("a certificate");
    let url = |host: &str| format!("https://{host}:{}/", server.address.port());
    let trusting = outbound().with_roots(roots);
    assert_eq!(attempted(trusting.clone(), &url("hooks.example")).await, Ok(()));
    let error = |failed: Result<(), FailedAttempt>| failed.expect_err("a failure").error;
    assert_eq!(error(attempted(trusting, &url("other.example")).await), AttemptError::Tls);
    let distrusting = outbound().with_roots(RootCertStore::empty());
    assert_eq!(error(attempted(distrusting, &url("hooks.example")).await), AttemptError::Tls);
}

#[shared_testing::test]
async fn a_name_that_now_resolves_to_an_inner_address_is_not_called() {
    let trap = HostileServer::trap("127.0.0.1:0");
    let url = format!("https://hooks.example.com:{}/", trap.address.port());
    let leading_to = |addresses: &'static [[u8; 4]]| {
        Outbound::new(&[]).with_resolver(move |_| Ok(addresses.iter().map(|address| (*address).into()).collect()))
    };
    for addresses in [&[[127, 0, 0, 1]][..], &[[169, 254, 169, 254]], &[[1, 1, 1, 1], [10, 0, 0, 1]]] {
        let failed = attempted(leading_to(addresses), &url).await.expect_err("a failure");
        assert_eq!(failed.error, AttemptError::BlockedAddress, "{addresses:?}");
    }
    let unknown = Outbound::new(&[]).with_resolver(|_| Err(io::ErrorKind::NotFound.into()));
    assert_eq!(attempted(unknown, &url).await.expect_err("a failure").error, AttemptError::Dns);
    assert_eq!(trap.connections(), 0);
}
