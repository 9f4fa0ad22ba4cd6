//! Where calls may go: https to public addresses, and anything to the places that the operator allows.

use std::{
    net::{IpAddr, SocketAddr},
    str::FromStr,
    sync::Arc,
};

use ipnet::IpNet;

use super::{address::is_public, error::OutboundError, target::Target};

// Further addresses of a name are not tried.
const MAX_ADDRESSES: usize = 8;

// Ports from 1024 on of other protocols, most of which browsers block too: a request could contain their commands.
const OTHER_PROTOCOLS: [u16; 26] = [
    1433, 1521, 1719, 1720, 1723, 2049, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672, 5900, 6000, 6379, 6566,
    6665, 6667, 6697, 9092, 10080, 11211, 27017,
];

/// A place that the operator allows (OUTBOUND_ALLOW).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowRule {
    Network(IpNet),
    /// One host, by name or address, and one port of it. The name may have any address.
    Endpoint(String, u16),
}

impl FromStr for AllowRule {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(network) = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)) {
            return Ok(Self::Network(network));
        }
        // Parsed as part of a URL, so that both sides are compared in one spelling.
        let target = text.rsplit_once(':').and_then(|_| Target::parse(&format!("http://{text}/")).ok());
        let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".:-_[]".contains(&byte));
        match target {
            Some(target) if is_plain => Ok(Self::Endpoint(target.host().to_owned(), target.port())),
            _ => Err("must be an IP address, a network like 10.0.0.0/8, or host:port"),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Policy {
    allowed: Arc<[AllowRule]>,
}

impl Policy {
    pub fn new(allowed: &[AllowRule]) -> Self {
        Self { allowed: allowed.into() }
    }

    /// True when a rule names exactly the target's host and port, or its literal address.
    pub fn names(&self, target: &Target) -> bool {
        self.allowed.iter().any(|allowed| match allowed {
            AllowRule::Network(network) => target.literal().is_some_and(|address| network.contains(&address)),
            AllowRule::Endpoint(host, port) => host == target.host() && *port == target.port(),
        })
    }

    /// The addresses to connect to. Refuses all when one of them is neither public nor allowed: a name that mixes them
    /// tries to reach the inner one.
    pub fn vet(&self, target: &Target, found: Vec<IpAddr>) -> Result<Vec<SocketAddr>, OutboundError> {
        let is_endpoint = self.names(target);
        let is_allowed = |address: &IpAddr| {
            let is_in =
                |allowed: &AllowRule| matches!(allowed, AllowRule::Network(network) if network.contains(address));
            is_endpoint || self.allowed.iter().any(is_in)
        };
        if found.is_empty() {
            return Err(OutboundError::Dns);
        }
        if found.iter().any(|address| !is_allowed(address) && !is_public(*address)) {
            return Err(OutboundError::AddressBlocked);
        }
        if !found.iter().all(is_allowed) {
            if !target.is_https() {
                return Err(OutboundError::Url("the URL is not an https URL"));
            }
            let port = target.port();
            if port != 443 && (port < 1_024 || OTHER_PROTOCOLS.contains(&port)) {
                return Err(OutboundError::Url("the port is neither 443 nor one from 1024 on where HTTP is usual"));
            }
        }
        Ok(found.into_iter().take(MAX_ADDRESSES).map(|address| SocketAddr::new(address, target.port())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_one_host_and_one_port() {
        let policy =
            Policy::new(&["Hooks.internal:8443".parse().expect("an endpoint"), "127.0.0.1:9000".parse().expect("one")]);
        let names = |url: &str| policy.names(&Target::parse(url).expect("a URL"));
        assert!(
            names("https://hooks.internal:8443/in")
                && names("http://HOOKS.internal:8443")
                && names("http://0x7f.1:9000")
        );
        assert!(
            !names("https://hooks.internal/")
                && !names("http://127.0.0.1:9001")
                && !names("https://other.internal:8443")
        );
        let inner = vec![IpAddr::from([10, 0, 0, 1])];
        let vet = |url: &str| policy.vet(&Target::parse(url).expect("a URL"), inner.clone());
        assert!(vet("http://hooks.internal:8443/").is_ok());
        assert_eq!(vet("https://hooks.internal/"), Err(OutboundError::AddressBlocked));
        for text in ["localhost", "http://a:1", "a:b", "a:0", "a:1/x", "me@a:1", ":1", "a:70000", ""] {
            assert!(text.parse::<AllowRule>().is_err(), "{text}");
        }
        assert_eq!("10.0.0.0/8".parse(), Ok(AllowRule::Network("10.0.0.0/8".parse().expect("a network"))));
    }
}
