//! The URL of a call, parsed strictly.

use std::{fmt, net::IpAddr};

use url::{Host, Url};

use super::error::OutboundError;

const MAX_BYTES: usize = 2_048;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    url: Url,
    literal: Option<IpAddr>,
    port: u16,
}

impl Target {
    /// Parses an http or https URL without user and fragment. Any spelling of an IP address as host (decimal, octal,
    /// hexadecimal, short, full-width) becomes that address.
    pub fn parse(text: &str) -> Result<Self, OutboundError> {
        if text.len() > MAX_BYTES {
            return Err(OutboundError::Url("the URL is longer than 2048 bytes"));
        }
        // The parser accepts these. Other programs read them differently, which an attacker could use.
        if text.bytes().any(|byte| byte == b'\\' || byte <= b' ' || byte == 0x7f) {
            return Err(OutboundError::Url("the URL has a backslash, a space or a control character"));
        }
        let url = Url::parse(text).map_err(|_| OutboundError::Url("the URL is not well-formed"))?;
        if !matches!(url.scheme(), "https" | "http") {
            return Err(OutboundError::Url("the URL is not an https URL"));
        }
        // The parser takes `https:host` and `https:///host` for `https://host`. Others read a path in them, or another host.
        let rest = text.get(url.scheme().len()..).and_then(|rest| rest.strip_prefix("://"));
        let authority = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).filter(|text| !text.is_empty());
        let authority = authority.ok_or(OutboundError::Url("the URL has no host after //"))?;
        // The parser drops an empty user, so `https://@host` would pass the check of `username`.
        if !url.username().is_empty() || url.password().is_some() || authority.contains('@') {
            return Err(OutboundError::Url("the URL names a user"));
        }
        if url.fragment().is_some() {
            return Err(OutboundError::Url("the URL has a fragment"));
        }
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            Some(Host::Domain(_)) => None,
            None => return Err(OutboundError::Url("the URL has no host")),
        };
        let port = url.port_or_known_default().ok_or(OutboundError::Url("the URL has no port"))?;
        if port == 0 {
            return Err(OutboundError::Url("the URL has port 0"));
        }
        Ok(Self { url, literal, port })
    }

    pub fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }

    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    pub fn literal(&self) -> Option<IpAddr> {
        self.literal
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// As in the `Host` header: without the scheme's default port.
    pub(super) fn authority(&self) -> String {
        match self.url.port() {
            Some(port) => format!("{}:{port}", self.host()),
            None => self.host().to_owned(),
        }
    }

    /// As in the request line, with `suffix` after the path.
    pub(super) fn path_and_query(&self, suffix: &str) -> String {
        let path = self.url.path();
        let path = if suffix.starts_with('/') { path.trim_end_matches('/') } else { path };
        let query = self.url.query().map(|query| format!("?{query}")).unwrap_or_default();
        format!("{path}{suffix}{query}")
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_suffix_comes_after_the_path_and_before_the_query() {
        for (url, suffix, expected) in [
            ("https://a.example", "", "/"),
            ("https://a.example", "/models", "/models"),
            ("https://a.example/v1/", "/models", "/v1/models"),
            ("https://a.example/v1/", "", "/v1/"),
            ("https://a.example/v1?a=b", "/models", "/v1/models?a=b"),
        ] {
            assert_eq!(Target::parse(url).expect("a URL").path_and_query(suffix), expected, "{url}");
        }
    }

    #[test]
    fn a_host_that_only_lenient_parsers_find_is_refused() {
        for url in ["https:a.example", "https:/a.example", "https:///a.example", "https:a.example?b=://c.example"] {
            assert_eq!(Target::parse(url), Err(OutboundError::Url("the URL has no host after //")), "{url}");
        }
        assert!(Target::parse("HTTPS://a.example").is_ok());
    }

    #[test]
    fn the_host_header_has_the_port_where_it_is_not_the_scheme_s_own() {
        let authority = |url| Target::parse(url).expect("a URL").authority();
        assert_eq!(authority("https://A.example:443/"), "a.example");
        assert_eq!(authority("https://a.example:8443/"), "a.example:8443");
        assert_eq!(authority("https://[2606:4700::1111]:8443/"), "[2606:4700::1111]:8443");
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics_and_never_has_a_user(text in ".{0,40}", scheme in "(https?:/{0,3})?") {
            if let Ok(target) = Target::parse(&format!("{scheme}{text}")) {
                prop_assert!(!target.host().is_empty() && target.url.username().is_empty());
            }
        }
    }
}
