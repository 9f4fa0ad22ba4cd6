//! Outbound calls: no URL that a stranger can write leads to a connection into our own network.

use std::{
    io,
    net::IpAddr,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use rustls::RootCertStore;
use shared_runtime::{
    Outbound,
    state::outbound::{
        Bytes, ConnectionPool, Deadline, HeaderMap, Method, OutboundError, Reply, Request, StatusCode, Target,
    },
};
use shared_testing::hostile_server::{HostileServer, Wire, answer, self_signed};

async fn call(outbound: &Outbound, url: &str) -> Result<Reply, OutboundError> {
    let deadline = Deadline::after(Duration::from_secs(5));
    let destination = outbound.resolve(&Target::parse(url)?, deadline).await?;
    let request = Request { method: Method::GET, path: "", headers: HeaderMap::new(), body: Bytes::new() };
    destination.connect(deadline).await?.send(request, 1_000, deadline).await
}

/// Allows calls to these addresses of this machine.
fn allowing(networks: &[&str]) -> Outbound {
    let networks: Vec<_> = networks.iter().map(|network| network.parse().expect("a network")).collect();
    Outbound::new(&networks)
}

fn addresses(texts: &[&str]) -> io::Result<Vec<IpAddr>> {
    Ok(texts.iter().map(|text| text.parse().expect("an address")).collect())
}

/// Answers of a hostile name server.
fn hostile_names(name: &str) -> io::Result<Vec<IpAddr>> {
    match name {
        "loopback.example" | "localhost" | "localhost." => addresses(&["127.0.0.1"]),
        "sub.localhost" => addresses(&["::1"]),
        "private.example" => addresses(&["10.0.0.5"]),
        "metadata.google.internal" => addresses(&["169.254.169.254"]),
        "mixed.example" => addresses(&["8.8.8.8", "127.0.0.1"]),
        "mixed-last.example" => addresses(&["8.8.8.8", "2606:4700::1111", "::1"]),
        "mapped.example" => addresses(&["::ffff:127.0.0.1"]),
        "nat64.example" => addresses(&["64:ff9b::7f00:1"]),
        "any.example" => addresses(&["0.0.0.0"]),
        "public.example" => addresses(&["8.8.8.8"]),
        "empty.example" => Ok(Vec::new()),
        _ => Err(io::ErrorKind::NotFound.into()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Refused {
    Address,
    Url,
    Name,
}
use Refused::{Address, Name, Url};

/// `{p}` is the port of the trap.
const TABLE: &[(&str, Refused)] = &[
    // Loopback, in every notation.
    ("http://127.0.0.1:{p}/", Address),
    ("https://127.0.0.1:{p}/", Address),
    ("https://127.0.0.1.:{p}/", Address),
    ("https://127.1:{p}/", Address),
    ("https://127.0.1:{p}/", Address),
    ("https://127.255.255.254:{p}/", Address),
    ("https://2130706433:{p}/", Address),
    ("https://017700000001:{p}/", Address),
    ("https://0177.0.0.1:{p}/", Address),
    ("https://0x7f000001:{p}/", Address),
    ("https://0x7F.0x0.0x0.0x1:{p}/", Address),
    ("https://0x7f.1:{p}/", Address),
    ("https://127.0.0x0.01:{p}/", Address),
    ("https://%31%32%37.0.0.1:{p}/", Address),
    ("https://１２７.０.０.１:{p}/", Address),
    ("https://127。0。0。1:{p}/", Address),
    ("https://①②⑦.0.0.1:{p}/", Address),
    ("https://0:{p}/", Address),
    ("https://0.0.0.0:{p}/", Address),
    ("https://0x0:{p}/", Address),
    ("https:127.0.0.1:{p}/", Url),
    ("https:///127.0.0.1:{p}/", Url),
    ("HTTPS://127.0.0.1:{p}/", Address),
    // The same in IPv6, and IPv6 addresses that embed IPv4.
    ("https://[::1]:{p}/", Address),
    ("http://[::1]:{p}/", Address),
    ("https://[0:0:0:0:0:0:0:1]:{p}/", Address),
    ("https://[::]:{p}/", Address),
    ("https://[::ffff:127.0.0.1]:{p}/", Address),
    ("https://[::ffff:7f00:1]:{p}/", Address),
    ("https://[::127.0.0.1]:{p}/", Address),
    ("https://[::ffff:0:127.0.0.1]:{p}/", Address),
    ("https://[64:ff9b::127.0.0.1]:{p}/", Address),
    ("https://[64:ff9b:1::7f00:1]:{p}/", Address),
    ("https://[2002:7f00:1::]:{p}/", Address),
    ("https://[2001:0:7f00:1::]:{p}/", Address),
    ("https://[fe80::1]:{p}/", Address),
    ("https://[fec0::1]:{p}/", Address),
    ("https://[fc00::1]:{p}/", Address),
    ("https://[ff02::1]:{p}/", Address),
    ("https://[2001:db8::1]:{p}/", Address),
    ("https://[fe80::1%25lo]:{p}/", Url),
    ("https://[::1%25lo]:{p}/", Url),
    ("https://[::1:{p}/", Url),
    // Metadata of clouds, and private networks.
    ("http://169.254.169.254/latest/meta-data/", Address),
    ("https://169.254.169.254/latest/meta-data/", Address),
    ("https://2852039166/", Address),
    ("https://[fd00:ec2::254]/latest/meta-data/", Address),
    ("https://[::ffff:169.254.169.254]/", Address),
    ("https://100.100.100.200/", Address),
    ("https://168.63.129.16/", Address),
    ("https://192.0.0.192/", Address),
    ("https://10.0.0.1/", Address),
    ("https://172.16.0.1/", Address),
    ("https://192.168.1.1/", Address),
    ("https://192.0.2.1/", Address),
    ("https://198.18.0.1/", Address),
    ("https://224.0.0.1/", Address),
    ("https://255.255.255.255/", Address),
    // Names that lead there.
    ("https://localhost:{p}/", Address),
    ("https://localhost.:{p}/", Address),
    ("https://LOCALHOST:{p}/", Address),
    ("https://sub.localhost:{p}/", Address),
    ("https://loopback.example:{p}/", Address),
    ("https://private.example/", Address),
    ("http://metadata.google.internal/computeMetadata/v1/", Address),
    ("https://mixed.example:{p}/", Address),
    ("https://mixed-last.example:{p}/", Address),
    ("https://mapped.example:{p}/", Address),
    ("https://nat64.example:{p}/", Address),
    ("https://any.example:{p}/", Address),
    ("https://empty.example:{p}/", Name),
    ("https://nowhere.example:{p}/", Name),
    // URLs that different parsers read as different hosts.
    ("https://public.example@127.0.0.1:{p}/", Url),
    ("https://user:password@127.0.0.1:{p}/", Url),
    ("https://@127.0.0.1:{p}/", Url),
    ("https://public.example:443@127.0.0.1:{p}/", Url),
    ("https://127.0.0.1:{p}\\@public.example/", Url),
    ("https:\\\\127.0.0.1:{p}\\", Url),
    ("https://public.example\t.127.0.0.1:{p}/", Url),
    ("https://public.example\r\nHost: 127.0.0.1/", Url),
    ("https://127.0.0.1:{p}#@public.example/", Url),
    (" https://127.0.0.1:{p}/", Url),
    ("https://public.example /", Url),
    ("https:///", Url),
    ("https://", Url),
    ("//127.0.0.1:{p}/", Url),
    ("127.0.0.1:{p}", Url),
    ("", Url),
    // Other schemes, http, and ports of other protocols.
    ("file:///etc/passwd", Url),
    ("ftp://127.0.0.1:{p}/", Url),
    ("gopher://127.0.0.1:{p}/_x", Url),
    ("dict://127.0.0.1:{p}/", Url),
    ("ws://127.0.0.1:{p}/", Url),
    ("unix:/var/run/docker.sock", Url),
    ("javascript:alert(1)", Url),
    ("data:text/plain,hello", Url),
    ("http://public.example/", Url),
    ("http://8.8.8.8/", Url),
    ("https://public.example:0/", Url),
    ("https://public.example:22/", Url),
    ("https://public.example:25/", Url),
    ("https://public.example:80/", Url),
    ("https://public.example:5432/", Url),
    ("https://public.example:6379/", Url),
    ("https://public.example:99999/", Url),
];

/// Accepts any connection to this machine.
fn trap() -> HostileServer {
    HostileServer::trap("[::]:0")
}

#[shared_testing::test]
async fn no_url_leads_to_this_machine() {
    let trap = trap();
    let outbound = Outbound::new(&[]).with_resolver(hostile_names);
    assert!(TABLE.len() >= 60);
    for (url, refused) in TABLE {
        let url = url.replace("{p}", &trap.address.port().to_string());
        let expected = match call(&outbound, &url).await.map(|reply| reply.status) {
            Err(OutboundError::AddressBlocked) => Address,
            Err(OutboundError::Url(_)) => Url,
            Err(OutboundError::Dns) => Name,
            other => panic!("{url:?}: {other:?}"),
        };
        assert_eq!(expected, *refused, "{url:?}");
    }
    assert_eq!(trap.connections(), 0);
    let seen = std::net::TcpStream::connect(("127.0.0.1", trap.address.port()));
    assert!(seen.is_ok(), "the trap does catch who comes");
}

#[shared_testing::test]
async fn the_machine_s_own_names_lead_nowhere_either() {
    let trap = trap();
    let outbound = Outbound::new(&[]);
    let url = format!("https://localhost:{}/", trap.address.port());
    assert_eq!(call(&outbound, &url).await.expect_err("refused"), OutboundError::AddressBlocked);
    assert_eq!(trap.connections(), 0);
}

#[shared_testing::test]
async fn a_name_is_resolved_once_and_only_checked_addresses_are_connected_to() {
    // First the address on which other programs have ports, too.
    let trap = HostileServer::trap("127.0.0.1:0");
    let good = HostileServer::start(("127.0.0.2", trap.address.port()), |stream, _| {
        let _ = stream.read(&mut [0; 1_000])?;
        stream.write_all(answer(200, "", "good").as_bytes())
    });
    let lookups = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&lookups);
    let outbound = allowing(&["127.0.0.2/32"]).with_resolver(move |_| match counted.fetch_add(1, Ordering::SeqCst) {
        0 => addresses(&["127.0.0.2"]),
        _ => addresses(&["127.0.0.1"]),
    });
    let deadline = Deadline::after(Duration::from_secs(5));
    let target = Target::parse(&format!("http://rebinding.example:{}/", good.address.port())).expect("a URL");
    let destination = outbound.resolve(&target, deadline).await.expect("the first answer is allowed");
    for _ in 0..3 {
        let request = Request { method: Method::GET, path: "", headers: HeaderMap::new(), body: Bytes::new() };
        let connection = destination.connect(deadline).await.expect("a connection");
        assert_eq!(connection.send(request, 100, deadline).await.expect("an answer").body, b"good");
    }
    assert_eq!((lookups.load(Ordering::SeqCst), good.connections(), trap.connections()), (1, 3, 0));
    let again = outbound.resolve(&target, deadline).await.map(|found| found.addresses().to_vec());
    assert_eq!(again.expect_err("the second answer is not"), OutboundError::AddressBlocked);
}

#[shared_testing::test]
async fn a_redirect_is_returned_and_not_followed() {
    let trap = trap();
    let location = format!("Location: http://127.0.0.1:{}/\r\n", trap.address.port());
    let server = HostileServer::http(move |stream, _| stream.write_all(answer(302, &location, "").as_bytes()));
    let reply = call(&allowing(&["127.0.0.1/32"]), &format!("http://{}/", server.address)).await.expect("an answer");
    assert_eq!(reply.status, StatusCode::FOUND);
    assert_eq!((server.connections(), trap.connections()), (1, 0));
}

/// Reads a short request; false if there was none.
fn heard(stream: &mut dyn Wire) -> io::Result<bool> {
    Ok(stream.read(&mut [0; 4096])? > 0)
}

/// Answers requests one after the other, with the name of the server.
fn answers(name: &'static str, requests: usize) -> impl Fn(&mut dyn Wire, &str) -> io::Result<()> + Send + Sync {
    move |stream, _| {
        for _ in 1..requests {
            stream.write_all(answer(200, "", name).as_bytes())?;
            stream.flush()?;
            if !heard(stream)? {
                return Ok(());
            }
        }
        stream.write_all(answer(200, "", name).as_bytes())
    }
}

async fn call_again(kept: &ConnectionPool, url: &str) -> Result<String, OutboundError> {
    let deadline = Deadline::after(Duration::from_secs(5));
    let request = Request { method: Method::GET, path: "", headers: HeaderMap::new(), body: Bytes::new() };
    let reply = kept.send(&Target::parse(url)?, request, 1_000, Duration::from_secs(5), deadline).await?;
    Ok(String::from_utf8_lossy(&reply.body).into_owned())
}

#[shared_testing::test]
async fn a_kept_connection_is_used_for_as_long_as_the_name_leads_to_it() {
    let first = HostileServer::http(answers("first", 100));
    let second = HostileServer::start(("127.0.0.2", first.address.port()), |stream, request| {
        heard(stream)?;
        answers("second", 100)(stream, request)
    });
    let lookups = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&lookups);
    let kept = ConnectionPool::new(allowing(&["127.0.0.0/8"]).with_resolver(move |_| {
        match counted.fetch_add(1, Ordering::SeqCst) {
            0..3 => addresses(&["127.0.0.1"]),
            3..5 => addresses(&["127.0.0.2"]),
            _ => addresses(&["10.0.0.1"]),
        }
    }));
    let url = format!("http://moving.example:{}/", first.address.port());
    for server in ["first", "first", "first", "second", "second"] {
        assert_eq!(call_again(&kept, &url).await.as_deref(), Ok(server));
    }
    assert_eq!(call_again(&kept, &url).await, Err(OutboundError::AddressBlocked));
    assert_eq!((lookups.load(Ordering::SeqCst), first.connections(), second.connections()), (6, 1, 1));
}

#[shared_testing::test]
async fn a_kept_connection_that_was_closed_is_replaced() {
    // The second server closes the connection after the second request was sent.
    let leaves = HostileServer::http(answers("leaves", 1));
    let hangs_up = HostileServer::http(|stream, request| {
        answers("hangs up", 1)(stream, request)?;
        stream.flush()?;
        heard(stream).map(drop)
    });
    for (server, name) in [(&leaves, "leaves"), (&hangs_up, "hangs up")] {
        let kept = ConnectionPool::new(allowing(&["127.0.0.1/32"]));
        let url = format!("http://{}/", server.address);
        for _ in 0..3 {
            assert_eq!(call_again(&kept, &url).await.as_deref(), Ok(name));
            // The end of the connection also takes some time to arrive.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(server.connections(), 3, "{name}");
    }
}

#[shared_testing::test]
async fn a_connection_with_an_unread_rest_is_not_used_again() {
    let server =
        HostileServer::http(|stream, request| answers(Box::leak("x".repeat(2_000).into()), 9)(stream, request));
    let kept = ConnectionPool::new(allowing(&["127.0.0.1/32"]));
    for _ in 0..2 {
        let body = call_again(&kept, &format!("http://{}/", server.address)).await.expect("its beginning");
        assert_eq!(body.len(), 1_000);
    }
    assert_eq!(server.connections(), 2);
}

/// Runs this test again as a process whose environment names proxies.
#[shared_testing::test]
async fn proxies_in_the_environment_are_not_asked() {
    const INSIDE: &str = "FOURFOLD_TEST_BEHIND_PROXIES";
    if std::env::var_os(INSIDE).is_some() {
        let server = HostileServer::http(|stream, _| stream.write_all(answer(200, "", "direct").as_bytes()));
        let url = format!("http://{}/", server.address);
        assert_eq!(call(&allowing(&["127.0.0.1/32"]), &url).await.expect("an answer").body, b"direct");
        let refused = call(&Outbound::new(&[]), &url).await.map(|reply| reply.status);
        assert_eq!(refused.expect_err("refused"), OutboundError::AddressBlocked);
        let nowhere = Outbound::new(&[]).with_resolver(hostile_names);
        assert!(call(&nowhere, "https://nowhere.example/").await.is_err());
        return;
    }
    let trap = trap();
    let mut child = Command::new(std::env::current_exe().expect("this very program"));
    child.args(["--exact", "outbound::proxies_in_the_environment_are_not_asked"]).env(INSIDE, "1");
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
        child.env(name, format!("http://127.0.0.1:{}", trap.address.port()));
    }
    let output = child.env("NO_PROXY", "").output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "it did run the test");
    assert_eq!(trap.connections(), 0);
}

#[shared_testing::test]
async fn a_certificate_is_believed_from_the_right_authority_for_the_right_name_only() {
    let (tls, certificate) = self_signed(&["models.example"], |_| ());
    let server = HostileServer::https(tls, |stream, _| stream.write_all(answer(200, "", "sealed").as_bytes()));
    let port = server.address.port();
    let trusting = |certificate| {
        let mut roots = RootCertStore::empty();
        roots.add(certificate).expect("an authority");
        allowing(&["127.0.0.1/32"]).with_resolver(|_| addresses(&["127.0.0.1"])).with_roots(roots)
    };
    let (_, stranger) = self_signed(&["models.example"], |_| ());
    let (trusting, suspicious) = (trusting(certificate), trusting(stranger));
    let reply = call(&trusting, &format!("https://models.example:{port}/")).await.expect("an answer");
    assert_eq!(reply.body, b"sealed");
    for (outbound, host, why) in [
        (&trusting, "other.example", "the certificate is for another name"),
        (&trusting, "127.0.0.1", "the certificate is for another name"),
        (&suspicious, "models.example", "the certificate is of no authority that this service trusts"),
    ] {
        let called = call(outbound, &format!("https://{host}:{port}/")).await.map(|reply| reply.status);
        assert_eq!(called, Err(OutboundError::Tls(why)), "{host}");
    }
}

#[shared_testing::test]
async fn the_next_address_is_tried_when_one_does_not_answer() {
    let server = HostileServer::http(|stream, _| stream.write_all(answer(200, "", "second").as_bytes()));
    // Nothing listens on that port of the first address.
    let outbound = allowing(&["127.0.0.0/8"]).with_resolver(|_| addresses(&["127.0.0.3", "127.0.0.1"]));
    let url = format!("http://two.example:{}/", server.address.port());
    assert_eq!(call(&outbound, &url).await.expect("an answer").body, b"second");
}

#[shared_testing::test]
async fn host_and_path_come_from_the_url() {
    let server = HostileServer::http(|stream, _| stream.write_all(answer(200, "", "").as_bytes()));
    let outbound = allowing(&["127.0.0.1/32"]).with_resolver(|_| addresses(&["127.0.0.1"]));
    let (port, url) = (server.address.port(), format!("http://models.example:{}/v1/?a=b", server.address.port()));
    call(&outbound, &url).await.expect("an answer");
    let heard = server.requests();
    assert!(heard[0].starts_with("GET /v1/?a=b HTTP/1.1\r\n"), "{heard:?}");
    assert!(heard[0].contains(&format!("host: models.example:{port}\r\n")), "{heard:?}");
    assert!(heard[0].contains("connection: close\r\n"), "{heard:?}");
    assert!(!heard[0].contains("accept-encoding") && !heard[0].contains("cookie"), "{heard:?}");
}
