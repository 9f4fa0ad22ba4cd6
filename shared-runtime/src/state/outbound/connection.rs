//! A connection to a checked address, with TLS if the target is https.

use std::{net::SocketAddr, time::Duration};

use rustls::pki_types::ServerName;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    time::Instant,
};
use tokio_rustls::TlsConnector;

use super::{
    deadline::Deadline,
    error::OutboundError,
    target::Target,
    tls_roots::{self, TlsRoots},
};

pub struct Destination {
    pub(super) target: Target,
    pub(super) addresses: Vec<SocketAddr>,
    pub(super) roots: TlsRoots,
    /// Time to resolve the name; zero for a literal address.
    pub dns: Duration,
}

pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

pub struct TcpConnection {
    target: Target,
    roots: TlsRoots,
    stream: TcpStream,
    peer: SocketAddr,
    pub connect: Duration,
}

pub struct Connection {
    pub(super) target: Target,
    pub(super) peer: SocketAddr,
    pub(super) stream: Box<dyn Stream>,
    /// Time of the TLS handshake; `None` for http.
    pub tls: Option<Duration>,
}

impl Destination {
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Connects to one of the checked addresses, with TLS if the target is https.
    pub async fn connect(&self, deadline: Deadline) -> Result<Connection, OutboundError> {
        self.connect_tcp(deadline).await?.start_tls(deadline).await
    }

    pub async fn connect_tcp(&self, deadline: Deadline) -> Result<TcpConnection, OutboundError> {
        let started = Instant::now();
        let (stream, peer) = self.first_that_answers(deadline).await?;
        let (target, roots) = (self.target.clone(), self.roots.clone());
        Ok(TcpConnection { target, roots, stream, peer, connect: started.elapsed() })
    }

    // Each attempt gets an equal share of the time that is left, so that one silent address cannot use it all.
    async fn first_that_answers(&self, deadline: Deadline) -> Result<(TcpStream, SocketAddr), OutboundError> {
        let mut error = OutboundError::Connect;
        for (number, address) in (0u32..).zip(&self.addresses) {
            let left = u32::try_from(self.addresses.len()).unwrap_or(u32::MAX).saturating_sub(number);
            match deadline.share(left).within(TcpStream::connect(address)).await {
                // The peer is compared with the checked address in case something on the machine redirects connections.
                Ok(Ok(stream)) if stream.peer_addr().is_ok_and(|peer| peer == *address) => {
                    return Ok((stream, *address));
                }
                Ok(Ok(_)) => error = OutboundError::AddressBlocked,
                Ok(Err(_)) => error = OutboundError::Connect,
                Err(timeout) => error = timeout,
            }
        }
        Err(error)
    }
}

impl TcpConnection {
    pub async fn start_tls(self, deadline: Deadline) -> Result<Connection, OutboundError> {
        let Self { target, roots, stream, peer, .. } = self;
        if !target.is_https() {
            return Ok(Connection { target, peer, stream: Box::new(stream), tls: None });
        }
        let name = match target.literal() {
            Some(address) => ServerName::from(address),
            None => ServerName::try_from(target.host().trim_end_matches('.').to_owned())
                .map_err(|_| OutboundError::Url("a certificate cannot have the host as a name"))?,
        };
        let started = Instant::now();
        let connector = TlsConnector::from(roots.config().await?);
        let stream = deadline.within(connector.connect(name, stream)).await?;
        let stream = stream.map_err(|error| OutboundError::Tls(tls_roots::describe(&error)))?;
        Ok(Connection { target, peer, stream: Box::new(stream), tls: Some(started.elapsed()) })
    }
}
