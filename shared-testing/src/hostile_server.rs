//! A local server that counts connections, or violates HTTP and TLS on purpose.

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

/// A connection with or without TLS.
pub trait Wire: Read + Write {}
impl<T: Read + Write> Wire for T {}

// A test fails sooner than this; a stuck thread must still end.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Stops when dropped.
pub struct HostileServer {
    pub address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
    stopping: Arc<AtomicBool>,
}

/// Handles one connection. Errors are ignored, because peers may hang up.
type Handler = dyn Fn(&mut dyn Wire, &str) -> io::Result<()> + Send + Sync;

impl HostileServer {
    /// Accepts connections, counts them, and hangs up.
    pub fn trap(address: impl ToSocketAddrs) -> Self {
        Self::start(address, |_, _| Ok(()))
    }

    /// Reads one request per connection and calls `handler(stream, request)`.
    pub fn http(handler: impl Fn(&mut dyn Wire, &str) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Self::spawn("127.0.0.1:0", None, true, Arc::new(handler))
    }

    /// The same with TLS.
    pub fn https(
        tls: ServerConfig,
        handler: impl Fn(&mut dyn Wire, &str) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        Self::spawn("127.0.0.1:0", Some(Arc::new(tls)), true, Arc::new(handler))
    }

    /// Calls a handler for each connection without reading a request first.
    pub fn start(
        address: impl ToSocketAddrs,
        handler: impl Fn(&mut dyn Wire, &str) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        Self::spawn(address, None, false, Arc::new(handler))
    }

    fn spawn(address: impl ToSocketAddrs, tls: Option<Arc<ServerConfig>>, reads: bool, handler: Arc<Handler>) -> Self {
        let listener = TcpListener::bind(address).expect("a free port");
        let server = Self {
            address: listener.local_addr().expect("a bound socket has an address"),
            connections: Arc::default(),
            requests: Arc::default(),
            stopping: Arc::default(),
        };
        let (connections, requests, stopping) =
            (Arc::clone(&server.connections), Arc::clone(&server.requests), Arc::clone(&server.stopping));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if stopping.load(Ordering::SeqCst) {
                    break;
                }
                connections.fetch_add(1, Ordering::SeqCst);
                let (tls, requests, handler) = (tls.clone(), Arc::clone(&requests), Arc::clone(&handler));
                // Errors are expected: some tests make the peer hang up early.
                thread::spawn(move || drop(serve(stream, tls, reads, &requests, &*handler)));
            }
        });
        server
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for HostileServer {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        // Wakes the accepting thread, so that it notices the stop.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(
    stream: TcpStream,
    tls: Option<Arc<ServerConfig>>,
    reads: bool,
    requests: &Mutex<Vec<String>>,
    handler: &Handler,
) -> io::Result<()> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let mut stream: Box<dyn Wire> = match tls {
        None => Box::new(stream),
        Some(config) => {
            let connection = ServerConnection::new(config).map_err(io::Error::other)?;
            Box::new(StreamOwned::new(connection, stream))
        }
    };
    let request = if reads { read_request(&mut *stream)? } else { String::new() };
    if reads {
        requests.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
    }
    handler(&mut *stream, &request)?;
    stream.flush()
}

/// Reads head and body of a request.
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

/// A response with `Content-Length`.
pub fn answer(status: u16, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status} Said\r\nContent-Length: {}\r\n{headers}\r\n{body}", body.len())
}

/// A TLS server configuration with a self-signed certificate for these names, and the certificate.
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
