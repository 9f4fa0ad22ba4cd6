//! HTTP calls to addresses that strangers name. They never reach our own networks (server-side request forgery).
//!
//! A general HTTP client could resolve a name twice or follow a redirect, so we take each step ourselves. We parse the
//! URL, resolve its name once, check every address, and connect to one of these. Then we verify TLS, send the request
//! and read a bounded answer. No redirects, no proxies.

mod address;
mod connection;
mod connection_pool;
mod deadline;
mod error;
mod exchange;
mod policy;
mod resolver;
mod target;
mod tls_roots;

use std::{fmt, io, net::IpAddr, sync::Arc, time::Duration};

use rustls::RootCertStore;

pub use address::is_public;
pub use connection::{Connection, Destination, TcpConnection};
pub use connection_pool::ConnectionPool;
pub use deadline::Deadline;
pub use error::OutboundError;
pub use exchange::{Reply, Request};
pub use hyper::{HeaderMap, Method, StatusCode, body::Bytes, header};
pub use policy::AllowRule;
pub use target::Target;

use policy::Policy;
use resolver::Resolver;
use tls_roots::TlsRoots;

#[derive(Clone)]
pub struct Outbound {
    policy: Policy,
    resolver: Resolver,
    roots: TlsRoots,
}

impl Outbound {
    /// Allows https to public addresses, and also http to the places that the operator allows.
    pub fn new(allowed: &[AllowRule]) -> Self {
        Self { policy: Policy::new(allowed), resolver: Resolver::System, roots: TlsRoots::platform() }
    }

    /// With another resolver, for tests.
    pub fn with_resolver(mut self, lookup: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static) -> Self {
        self.resolver = Resolver::Custom(Arc::new(lookup));
        self
    }

    /// Trusts these authorities instead of the platform's.
    pub fn with_roots(mut self, roots: RootCertStore) -> Self {
        self.roots = TlsRoots::only(roots);
        self
    }

    /// True when an operator's rule names this host and port, or this address.
    pub fn is_opened(&self, target: &Target) -> bool {
        self.policy.names(target)
    }

    /// Resolves the target once and checks all its addresses. Connections go to no other address.
    pub async fn resolve(&self, target: &Target, deadline: Deadline) -> Result<Destination, OutboundError> {
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
