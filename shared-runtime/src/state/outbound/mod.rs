//! The guarded way out: HTTP to places that strangers name, which never leads into a network of ours.
//!
//! Each step is taken by us, so that none can be taken behind our back: the URL is parsed, its name resolved once, every
//! address vetted, one of exactly those addresses connected to, TLS verified, a request sent, a bounded answer read.
//! No redirect is followed and no proxy is asked.

mod address;
mod connection;
mod deadline;
mod error;
mod exchange;
mod kept;
mod policy;
mod resolver;
mod target;
mod tls_roots;

use std::{fmt, io, net::IpAddr, sync::Arc, time::Duration};

use rustls::RootCertStore;

pub use address::is_public;
pub use connection::{Connection, Destination, TcpConnected};
pub use deadline::Deadline;
pub use error::OutboundError;
pub use exchange::{Reply, Request};
pub use hyper::{HeaderMap, Method, StatusCode, body::Bytes, header};
pub use kept::KeptConnections;
pub use policy::Allowed;
pub use target::Target;

use policy::Policy;
use resolver::Resolver;
use tls_roots::TlsRoots;

/// Calls out, under the operator's rules.
#[derive(Clone)]
pub struct Outbound {
    policy: Policy,
    resolver: Resolver,
    roots: TlsRoots,
}

impl Outbound {
    /// To public addresses by https, and to these places of the operator's by http too.
    pub fn new(allowed: &[Allowed]) -> Self {
        Self { policy: Policy::new(allowed), resolver: Resolver::System, roots: TlsRoots::platform() }
    }

    /// With another way to resolve names.
    pub fn with_resolver(mut self, lookup: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static) -> Self {
        self.resolver = Resolver::Own(Arc::new(lookup));
        self
    }

    /// Trusting these authorities instead of the platform's.
    pub fn with_roots(mut self, roots: RootCertStore) -> Self {
        self.roots = TlsRoots::only(roots);
        self
    }

    /// Whether the operator has opened the very place that the target names, by its host and port or by its address.
    pub fn is_opened(&self, target: &Target) -> bool {
        self.policy.names(target)
    }

    /// Resolves the target, once, and vets every address that it has. The only addresses that are ever connected to for
    /// this destination are those found here.
    pub async fn find(&self, target: &Target, deadline: Deadline) -> Result<Destination, OutboundError> {
        let (found, dns) = match target.literal() {
            Some(address) => (vec![address], Duration::ZERO),
            None => {
                let started = tokio::time::Instant::now();
                let found = deadline.within(self.resolver.addresses(target.host())).await??;
                (found, started.elapsed())
            }
        };
        let addresses = self.policy.vet(target, found)?;
        Ok(Destination { target: target.clone(), addresses, roots: self.roots.clone(), dns })
    }
}

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbound").field("policy", &self.policy).finish_non_exhaustive()
    }
}
