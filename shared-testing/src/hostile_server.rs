//! A server on this machine that does as it likes: a trap that counts who comes, or a peer that breaks every rule.

use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use rcgen::{CertificateParams, KeyPair};
use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    crypto::ring,
    pki_types::{CertificateDer, PrivatePkcs8KeyDer},
};

/// Both directions of a connection.
pub trait Wire: Read + Write {}
impl<T: Read + Write> Wire for T {}

/// How long a hostile_server waits for its peer; no test takes longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server that is stopped when it is dropped.
pub struct HostileServer {
    /// Where it listens.
    pub address: SocketAddr,
    connections: Arc<AtomicUsize>,
    heard: Arc<Mutex<Vec<String>>>,
    stopping: Arc<AtomicBool>,
}

/// What a hostile_server does with a connection. What comes of it is its own affair.
type Manner = dyn Fn(&mut dyn Wire, &str) -> io::Result<()> + Send + Sync;

impl HostileServer {
    /// Accepts and counts, and hangs up.
    pub fn trap(address: impl ToSocketAddrs) -> Self {
        Self::start(address, |_, _| Ok(()))
    }

    /// Reads each connection's request, then does this with it: `manner(stream, request)`.
    pub fn http(manner: impl Fn(&mut dyn Wire, &str) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Self::spawn("127.0.0.1:0", None, true, Arc::new(manner))
    }

    /// The same behind TLS.
    pub fn https(
        tls: ServerConfig,
        manner: impl Fn(&mut dyn Wire, &str) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        Self::spawn("127.0.0.1:0", Some(Arc::new(tls)), true, Arc::new(manner))
    }

    /// Does this with each connection, without reading anything first.
    pub fn start(
        address: impl ToSocketAddrs,
        manner: impl Fn(&mut dyn Wire, &str) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        Self::spawn(address, None, false, Arc::new(manner))
    }

    fn spawn(address: impl ToSocketAddrs, tls: Option<Arc<ServerConfig>>, reads: bool, manner: Arc<Manner>) -> Self {
        let listener = TcpListener::bind(address).expect("a free port");
        let hostile_server = Self {
            address: listener.local_addr().expect("a bound socket has an address"),
            connections: Arc::default(),
            heard: Arc::default(),
            stopping: Arc::default(),
        };
        let (connections, heard, stopping) = (
            Arc::clone(&hostile_server.connections),
            Arc::clone(&hostile_server.heard),
            Arc::clone(&hostile_server.stopping),
        );
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if stopping.load(Ordering::SeqCst) {
                    break;
                }
                connections.fetch_add(1, Ordering::SeqCst);
                let (tls, heard, manner) = (tls.clone(), Arc::clone(&heard), Arc::clone(&manner));
                // The peer may well hang up in the middle: that is what some tests are about.
                thread::spawn(move || drop(serve(stream, tls, reads, &heard, &*manner)));
            }
        });
        hostile_server
    }

    /// How many connections it has accepted.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// The requests it has read.
    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for HostileServer {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        // Wakes the accepting thread, which then sees that it is over.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(
    stream: TcpStream,
    tls: Option<Arc<ServerConfig>>,
    reads: bool,
    heard: &Mutex<Vec<String>>,
    manner: &Manner,
) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut stream: Box<dyn Wire> = match tls {
        None => Box::new(stream),
        Some(config) => {
            let connection = ServerConnection::new(config).map_err(io::Error::other)?;
            Box::new(StreamOwned::new(connection, stream))
        }
    };
    let request = if reads { read_request(&mut *stream)? } else { String::new() };
    if reads {
        heard.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
    }
    manner(&mut *stream, &request)?;
    stream.flush()
}

/// Head and body of a request.
fn read_request(stream: &mut dyn Wire) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return Ok(text.into_owned());
            }
        }
        match stream.read(&mut piece)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => bytes.extend_from_slice(&piece[..read]),
        }
    }
}

/// An answer with a length.
pub fn answer(status: u16, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status} Said\r\nContent-Length: {}\r\n{headers}\r\n{body}", body.len())
}

/// The server side of TLS with a certificate that signs itself, for these names; and the certificate, to be trusted or not.
pub fn self_signed(
    names: &[&str],
    change: impl FnOnce(&mut CertificateParams),
) -> (ServerConfig, CertificateDer<'static>) {
    let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut params = CertificateParams::new(names).expect("names of a certificate");
    change(&mut params);
    let key = KeyPair::generate().expect("a key");
    let certificate = params.self_signed(&key).expect("a certificate").der().clone();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("TLS 1.2 and 1.3")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], PrivatePkcs8KeyDer::from(key.serialize_der()).into())
        .expect("key and certificate fit");
    (config, certificate)
}
