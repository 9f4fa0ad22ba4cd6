//! TLS handshakes, with limits of time, number, and number per source: clients that never finish theirs must not
//! block others.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use actix_http::error::DispatchError;
use actix_web::rt::net::TcpStream;
use rustls::ServerConfig;
use tokio_rustls::{TlsAcceptor, server::TlsStream};

use super::{error::refused, measures::ConnectionMeasures};
use crate::http::source_address;

// From the connection to the end of the handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(3);
const MAX_PER_WORKER: usize = 1024;
/// Of an IPv4 address, or of an IPv6 /64.
const MAX_PER_SOURCE: usize = 64;

pub(super) struct Handshakes {
    acceptor: TlsAcceptor,
    measures: ConnectionMeasures,
    all: Cell<usize>,
    each: RefCell<HashMap<IpAddr, usize>>,
}

impl Handshakes {
    pub(super) fn new(config: Arc<ServerConfig>, measures: ConnectionMeasures) -> Rc<Self> {
        Rc::new(Self { acceptor: TlsAcceptor::from(config), measures, all: Cell::new(0), each: RefCell::default() })
    }

    /// Closes the connection if its source has too many handshakes in progress.
    pub(super) async fn shake(
        self: &Rc<Self>,
        stream: TcpStream,
        peer: Option<SocketAddr>,
    ) -> Result<TlsStream<TcpStream>, DispatchError> {
        let source = source_address::whole(peer.ok_or_else(|| refused("the client has disconnected"))?.ip());
        let _under_way = UnderWay::begin(self, source)?;
        match tokio::time::timeout(HANDSHAKE_TIMEOUT, self.acceptor.accept(stream)).await {
            Ok(stream) => stream.map_err(DispatchError::Io),
            Err(_) => Err(refused("the TLS handshake took too long")),
        }
    }
}

/// A handshake in progress, until this is dropped.
struct UnderWay {
    handshakes: Rc<Handshakes>,
    source: IpAddr,
}

impl UnderWay {
    fn begin(handshakes: &Rc<Handshakes>, source: IpAddr) -> Result<Self, DispatchError> {
        let mut each = handshakes.each.borrow_mut();
        if handshakes.all.get() >= MAX_PER_WORKER || each.get(&source).is_some_and(|count| *count >= MAX_PER_SOURCE) {
            handshakes.measures.handshakes_refused.increment(1);
            return Err(refused("too many TLS handshakes at the same time"));
        }
        *each.entry(source).or_default() += 1;
        handshakes.all.set(handshakes.all.get() + 1);
        Ok(Self { handshakes: Rc::clone(handshakes), source })
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut each = self.handshakes.each.borrow_mut();
        if let Some(count) = each.get_mut(&self.source) {
            *count -= 1;
            if *count == 0 {
                each.remove(&self.source);
            }
        }
        self.handshakes.all.set(self.handshakes.all.get() - 1);
    }
}
