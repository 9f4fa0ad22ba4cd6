//! The guarded way out: HTTP to places that strangers name, which never leads into a network of ours.
//!
//! Each step is taken by us, so that none can be taken behind our back: the URL is parsed, its name resolved once, every
//! address vetted, one of exactly those addresses connected to, TLS verified, one request sent, one bounded answer read.
//! No redirect is followed and no proxy is asked.

mod address;
mod deadline;
mod exchange;
mod line;
mod policy;
mod resolver;
mod target;
mod trust;

use std::{fmt, io, net::IpAddr, sync::Arc, time::Duration};

use ipnet::IpNet;
use rustls::RootCertStore;

pub use address::is_public;
pub use deadline::Deadline;
pub use exchange::{Reply, Request};
pub use hyper::{HeaderMap, Method, StatusCode, header};
pub use line::{Destination, Line, Reached};
pub use target::Target;

use policy::Policy;
use resolver::Resolver;
use trust::Trust;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The URL is none that we call: the rule that it breaks.
    Url(&'static str),
    /// It leads, or may lead, to an address that is not a public one.
    AddressBlocked,
    /// The name has no address, or none could be found out.
    Dns,
    /// No connection came about.
    Connect,
    /// TLS could not be agreed upon: why not.
    Tls(&'static str),
    /// It took too long.
    Timeout,
    /// The answer's head or body is larger than asked for.
    TooLarge,
    /// What came back is no HTTP/1.1 answer, or it ended before its end.
    BadAnswer,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Url(why) | Self::Tls(why) => why,
            Self::AddressBlocked => "the address is not a public one",
            Self::Dns => "the name has no address",
            Self::Connect => "the connection was refused",
            Self::Timeout => "it took too long",
            Self::TooLarge => "the answer is too large",
            Self::BadAnswer => "the answer is not HTTP, or it was cut off",
        })
    }
}

impl std::error::Error for Trouble {}

/// Calls out, under the operator's rules.
#[derive(Clone)]
pub struct Outbound {
    policy: Policy,
    resolver: Resolver,
    trust: Trust,
}

impl Outbound {
    /// To public addresses by https, and to these networks of the operator's by http too.
    pub fn new(allowed: &[IpNet]) -> Self {
        Self { policy: Policy::new(allowed), resolver: Resolver::System, trust: Trust::platform() }
    }

    /// With another way to resolve names.
    pub fn with_resolver(mut self, lookup: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static) -> Self {
        self.resolver = Resolver::Own(Arc::new(lookup));
        self
    }

    /// Trusting these authorities instead of the platform's.
    pub fn with_roots(mut self, roots: RootCertStore) -> Self {
        self.trust = Trust::only(roots);
        self
    }

    /// Resolves the target, once, and vets every address that it has. The only addresses that are ever connected to for
    /// this destination are those found here.
    pub async fn find(&self, target: &Target, deadline: Deadline) -> Result<Destination, Trouble> {
        let (found, dns) = match target.literal() {
            Some(address) => (vec![address], Duration::ZERO),
            None => {
                let started = tokio::time::Instant::now();
                let found = deadline.within(self.resolver.addresses(target.host())).await??;
                (found, started.elapsed())
            }
        };
        let addresses = self.policy.vet(target, found)?;
        Ok(Destination { target: target.clone(), addresses, trust: self.trust.clone(), dns })
    }
}

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbound").field("policy", &self.policy).finish_non_exhaustive()
    }
}
