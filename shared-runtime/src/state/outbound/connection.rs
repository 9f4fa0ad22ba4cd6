//! A connection to an address that was vetted, with TLS where the target asks for it.

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

/// A target whose addresses were found and vetted.
pub struct Destination {
    pub(super) target: Target,
    pub(super) addresses: Vec<SocketAddr>,
    pub(super) roots: TlsRoots,
    /// How long the name took to resolve; nothing for an address.
    pub dns: Duration,
}

/// Bytes in both directions.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// A connection on which no TLS was agreed upon yet.
pub struct TcpConnected {
    target: Target,
    roots: TlsRoots,
    stream: TcpStream,
    peer: SocketAddr,
    /// How long the connection took.
    pub connect: Duration,
}

/// A connection on which nothing of HTTP was said yet.
pub struct Connection {
    pub(super) target: Target,
    pub(super) peer: SocketAddr,
    pub(super) stream: Box<dyn Stream>,
    /// How long TLS took; `None` in clear text.
    pub tls: Option<Duration>,
}

impl Destination {
    /// The vetted addresses, in the order in which they are tried.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Connects to one of the vetted addresses, and to no other; with TLS if the target asks for it.
    pub async fn connect(&self, deadline: Deadline) -> Result<Connection, OutboundError> {
        self.reach(deadline).await?.secure(deadline).await
    }

    /// Connects to one of the vetted addresses, and to no other.
    pub async fn reach(&self, deadline: Deadline) -> Result<TcpConnected, OutboundError> {
        let started = Instant::now();
        let (stream, peer) = self.first_that_answers(deadline).await?;
        let (target, roots) = (self.target.clone(), self.roots.clone());
        Ok(TcpConnected { target, roots, stream, peer, connect: started.elapsed() })
    }

    /// Tries the addresses in order; each may use up its share of the time.
    async fn first_that_answers(&self, deadline: Deadline) -> Result<(TcpStream, SocketAddr), OutboundError> {
        let mut error = OutboundError::Connect;
        for (number, address) in (0u32..).zip(&self.addresses) {
            let left = u32::try_from(self.addresses.len()).unwrap_or(u32::MAX).saturating_sub(number);
            match deadline.share(left).within(TcpStream::connect(address)).await {
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

impl TcpConnected {
    /// Agrees upon TLS, if the target asks for it.
    pub async fn secure(self, deadline: Deadline) -> Result<Connection, OutboundError> {
        let Self { target, roots, stream, peer, .. } = self;
        if !target.is_https() {
            return Ok(Connection { target, peer, stream: Box::new(stream), tls: None });
        }
        let name = match target.literal() {
            Some(address) => ServerName::from(address),
            None => ServerName::try_from(target.host().trim_end_matches('.').to_owned())
                .map_err(|_| OutboundError::Url("the host is no name that a certificate can have"))?,
        };
        let started = Instant::now();
        let connector = TlsConnector::from(roots.config().await?);
        let stream = deadline.within(connector.connect(name, stream)).await?;
        let stream = stream.map_err(|error| OutboundError::Tls(tls_roots::flaw(&error)))?;
        Ok(Connection { target, peer, stream: Box::new(stream), tls: Some(started.elapsed()) })
    }
}
