//! The network address that a request comes from, behind trusted proxies too.

use std::net::{IpAddr, Ipv6Addr};

use actix_web::HttpRequest;
use ipnet::IpNet;

/// The peer; behind a trusted proxy, the right-most hop of `X-Forwarded-For` that is not trusted itself.
pub fn from_request(request: &HttpRequest, trusted: &[IpNet]) -> String {
    let Some(peer) = request.peer_addr().map(|address| address.ip().to_canonical()) else {
        return "unknown".to_owned();
    };
    let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut source = peer;
    if is_trusted(&peer) {
        let hops: Vec<&str> = request
            .headers()
            .get_all("x-forwarded-for")
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .collect();
        for hop in hops.iter().rev() {
            // Whatever is left of an unreadable hop may be invented.
            let Ok(address) = hop.parse::<IpAddr>() else { break };
            source = address.to_canonical();
            if !is_trusted(&source) {
                break;
            }
        }
    }
    match whole(source) {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(network) => format!("{network}/64"),
    }
}

/// An IPv4 address, or the /64 of an IPv6 address.
pub fn whole(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            // One household or host owns a whole /64, and could use a new address for each request.
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn source(peer: &str, forwarded: &[&str]) -> String {
        let mut request = TestRequest::default().peer_addr(peer.parse().expect("an address"));
        for value in forwarded {
            request = request.append_header(("x-forwarded-for", *value));
        }
        from_request(&request.to_http_request(), &["10.0.0.0/8".parse().expect("a network")])
    }

    #[test]
    fn a_stranger_cannot_choose_its_own_address() {
        assert_eq!(source("192.0.2.1:1", &["198.51.100.7"]), "192.0.2.1");
    }

    #[test]
    fn behind_a_trusted_proxy_the_last_untrusted_hop_counts() {
        assert_eq!(source("10.0.0.1:1", &["203.0.113.9, 198.51.100.7", "10.0.0.2"]), "198.51.100.7");
        assert_eq!(source("10.0.0.1:1", &["junk, 10.0.0.2"]), "10.0.0.2");
        assert_eq!(source("10.0.0.1:1", &[]), "10.0.0.1");
    }

    #[test]
    fn ipv6_counts_by_its_64() {
        assert_eq!(source("[2001:db8:1:2:3:4:5:6]:1", &[]), "2001:db8:1:2::/64");
        assert_eq!(source("[::ffff:192.0.2.1]:1", &[]), "192.0.2.1");
    }
}
