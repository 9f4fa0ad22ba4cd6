//! Which addresses are public: all that the IANA registries of special-purpose addresses do not list.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

// First address and prefix length: the IANA IPv4 special-purpose registry, multicast, and addresses that clouds use
// inside.
const SPECIAL_V4: [([u8; 4], u32); 19] = [
    ([0, 0, 0, 0], 8),        // this network (RFC 791)
    ([10, 0, 0, 0], 8),       // private (RFC 1918)
    ([100, 64, 0, 0], 10),    // shared by carriers (RFC 6598), and some clouds' metadata
    ([127, 0, 0, 0], 8),      // loopback (RFC 1122)
    ([168, 63, 129, 16], 32), // Azure's agent: looks public, answers inside only
    ([169, 254, 0, 0], 16),   // link-local (RFC 3927), and most clouds' metadata
    ([172, 16, 0, 0], 12),    // private (RFC 1918)
    ([192, 0, 0, 0], 24),     // protocol assignments (RFC 6890), and Oracle's metadata
    ([192, 0, 2, 0], 24),     // documentation (RFC 5737)
    ([192, 31, 196, 0], 24),  // AS112 (RFC 7535)
    ([192, 52, 193, 0], 24),  // AMT (RFC 7450)
    ([192, 88, 99, 0], 24),   // 6to4 relays (RFC 7526)
    ([192, 168, 0, 0], 16),   // private (RFC 1918)
    ([192, 175, 48, 0], 24),  // AS112 (RFC 7534)
    ([198, 18, 0, 0], 15),    // benchmarking (RFC 2544)
    ([198, 51, 100, 0], 24),  // documentation (RFC 5737)
    ([203, 0, 113, 0], 24),   // documentation (RFC 5737)
    ([224, 0, 0, 0], 4),      // multicast (RFC 5771)
    ([240, 0, 0, 0], 4),      // reserved (RFC 1112), broadcast with it
];

// Exceptions within 2000::/3. No address outside of it is public: unique local, link-local, multicast, loopback,
// mapped and compatible IPv4, NAT64.
const SPECIAL_V6: [([u16; 4], u32); 6] = [
    ([0x2001, 0, 0, 0], 23),         // protocol assignments (RFC 2928): Teredo, benchmarking, ORCHID
    ([0x2001, 0xdb8, 0, 0], 32),     // documentation (RFC 3849)
    ([0x2002, 0, 0, 0], 16),         // 6to4 (RFC 3056): an IPv4 address within
    ([0x2620, 0x4f, 0x8000, 0], 48), // AS112 (RFC 7534)
    ([0x3ffe, 0, 0, 0], 16),         // the 6bone, given back (RFC 3701)
    ([0x3fff, 0, 0, 0], 20),         // documentation (RFC 9637)
];

/// True for globally reachable unicast addresses that do not embed another address.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let is_in = |(first, prefix): &([u8; 4], u32)| {
                let shift = 32 - prefix;
                address.to_bits() >> shift == Ipv4Addr::from(*first).to_bits() >> shift
            };
            !SPECIAL_V4.iter().any(is_in)
        }
        IpAddr::V6(address) => {
            let is_in = |([a, b, c, d], prefix): &([u16; 4], u32)| {
                let shift = 128 - prefix;
                address.to_bits() >> shift == Ipv6Addr::new(*a, *b, *c, *d, 0, 0, 0, 0).to_bits() >> shift
            };
            address.segments()[0] >> 13 == 1 && !SPECIAL_V6.iter().any(is_in)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn public(text: &str) -> bool {
        is_public(text.parse().expect("an address"))
    }

    #[test]
    fn ordinary_addresses_are_public() {
        for text in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "168.63.129.17",
            "2606:4700::1111",
            "2a00:1450:4001::200e",
            "2001:200::1",
            "2001:4860::8888",
            "3fff:1000::1",
        ] {
            assert!(public(text), "{text}");
        }
    }

    #[test]
    fn the_first_and_the_last_of_every_special_network_are_not() {
        for text in [
            "0.0.0.0",
            "0.255.255.255",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.0",
            "127.0.0.1",
            "127.255.255.255",
            "168.63.129.16",
            "169.254.0.0",
            "169.254.169.254",
            "169.254.255.255",
            "172.16.0.0",
            "172.31.255.255",
            "192.0.0.0",
            "192.0.0.192",
            "192.0.0.255",
            "192.0.2.0",
            "192.0.2.255",
            "192.31.196.1",
            "192.52.193.1",
            "192.88.99.1",
            "192.168.0.0",
            "192.168.255.255",
            "192.175.48.1",
            "198.18.0.0",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.255",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.0",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::8.8.8.8",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:0:8.8.8.8",
            "64:ff9b::7f00:1",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "100::1",
            "100:0:0:1::1",
            "2001::1",
            "2001:0:4136:e378::",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:1ff:ffff::",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:808:808::1",
            "2620:4f:8000::1",
            "3ffe::1",
            "3fff::1",
            "3fff:fff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fdff::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "ffff::1",
            "1fff::1",
        ] {
            assert!(!public(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn addresses_that_the_standard_library_calls_special_are_not_public(bits in any::<u32>(), high in any::<u64>(), low in any::<u64>()) {
            let v4 = Ipv4Addr::from_bits(bits);
            if v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_multicast() || v4.is_documentation() {
                prop_assert!(!is_public(v4.into()), "{v4}");
            }
            for within in [v4.to_ipv6_mapped(), v4.to_ipv6_compatible()] {
                prop_assert!(!is_public(within.into()), "{within}");
            }
            let v6 = Ipv6Addr::from_bits(u128::from(high) << 64 | u128::from(low));
            if v6.is_multicast() || v6.is_unique_local() || v6.is_unicast_link_local() || v6.to_ipv4().is_some() {
                prop_assert!(!is_public(v6.into()), "{v6}");
            }
        }
    }
}
