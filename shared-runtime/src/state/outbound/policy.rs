//! Where we go and where not: public addresses by https, the operator's own networks as it likes.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use ipnet::IpNet;

use super::{address::is_public, error::OutboundError, target::Target};

/// Addresses of a name at most; more are not tried.
const MAX_ADDRESSES: usize = 8;

/// Ports from 1024 on where something else than HTTP is at home.
const OTHER_PROTOCOLS: [u16; 26] = [
    1433, 1521, 1719, 1720, 1723, 2049, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672, 5900, 6000, 6379, 6566,
    6665, 6667, 6697, 9092, 10080, 11211, 27017,
];

/// The operator's rules.
#[derive(Clone, Debug)]
pub struct Policy {
    allowed: Arc<[IpNet]>,
}

impl Policy {
    /// With these networks open.
    pub fn new(allowed: &[IpNet]) -> Self {
        Self { allowed: allowed.into() }
    }

    /// The addresses to connect to; refused when even one of those found is neither public nor the operator's, for who
    /// mixes them means the other one.
    pub fn vet(&self, target: &Target, found: Vec<IpAddr>) -> Result<Vec<SocketAddr>, OutboundError> {
        let is_allowed = |address: &IpAddr| self.allowed.iter().any(|network| network.contains(address));
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
