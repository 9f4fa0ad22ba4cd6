//! TLS handshakes: bounded in time, in number, and for each source, so that those who never finish theirs hold up nobody.

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

/// How long a client may take from its connection to the end of the handshake.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Handshakes of one worker at a time.
const ALL: usize = 1024;
/// Those of one source: an IPv4 address, an IPv6 /64.
const EACH: usize = 64;

/// The handshakes of one worker.
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

    /// Does one; hangs up on a source that has too many under way.
    pub(super) async fn shake(
        self: &Rc<Self>,
        stream: TcpStream,
        peer: Option<SocketAddr>,
    ) -> Result<TlsStream<TcpStream>, DispatchError> {
        let source = source_address::whole(peer.ok_or_else(|| refused("the peer is gone"))?.ip());
        let _under_way = UnderWay::begin(self, source)?;
        match tokio::time::timeout(TIMEOUT, self.acceptor.accept(stream)).await {
            Ok(stream) => stream.map_err(DispatchError::Io),
            Err(_) => Err(refused("no TLS handshake came")),
        }
    }
}

/// Counts a handshake for as long as it lives.
struct UnderWay {
    handshakes: Rc<Handshakes>,
    source: IpAddr,
}

impl UnderWay {
    fn begin(handshakes: &Rc<Handshakes>, source: IpAddr) -> Result<Self, DispatchError> {
        let mut each = handshakes.each.borrow_mut();
        if handshakes.all.get() >= ALL || each.get(&source).is_some_and(|count| *count >= EACH) {
            handshakes.measures.handshakes_refused.increment(1);
            return Err(refused("too many TLS handshakes at a time"));
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
