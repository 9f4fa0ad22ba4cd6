//! IP networks, for the list of trusted proxies.

use std::{net::IpAddr, str::FromStr};

/// An IP network: an address and a prefix length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

impl Network {
    /// Whether the address lies within.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.prefix)).unwrap_or(0);
                own.to_bits() & mask == other.to_bits() & mask
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.prefix)).unwrap_or(0);
                own.to_bits() & mask == other.to_bits() & mask
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const RULE: &str = "must be an IP address or a network like 10.0.0.0/8";
        let (address, prefix) = text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let address: IpAddr = address.parse().map_err(|_| RULE)?;
        let max = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(max), |prefix| prefix.parse().map_err(|_| RULE))?;
        if prefix <= max { Ok(Self { address, prefix }) } else { Err(RULE) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_contains_its_addresses_and_no_other() {
        let network: Network = "10.1.0.0/16".parse().expect("a network");
        assert!(network.contains("10.1.255.255".parse().expect("an address")));
        assert!(!network.contains("10.2.0.0".parse().expect("an address")));
        assert!(!network.contains("::1".parse().expect("an address")));
        assert!("0.0.0.0/0".parse::<Network>().expect("a network").contains("8.8.8.8".parse().expect("an address")));
        assert!("10.0.0.0/33".parse::<Network>().is_err());
    }
}
