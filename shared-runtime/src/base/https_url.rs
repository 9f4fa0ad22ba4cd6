//! The https form of a base URL, for links in answers.

/// Returns an https URL unchanged. Otherwise replaces the port by the one that listens with TLS, if there is one.
pub fn for_base_url(base_url: &str, tls_port: Option<u16>) -> String {
    let Some(rest) = base_url.strip_prefix("http://") else { return base_url.to_owned() };
    let Some(port) = tls_port else { return format!("https://{rest}") };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = match authority.rsplit_once(':') {
        // An IPv6 address has colons inside its brackets.
        Some((host, port)) if !port.ends_with(']') => host,
        _ => authority,
    };
    match port {
        // Clients omit the default port, in `Host` too.
        443 => format!("https://{host}{path}"),
        port => format!("https://{host}:{port}{path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::for_base_url;

    #[test]
    fn an_https_address_stays_as_it_is() {
        assert_eq!(for_base_url("https://cloud.example/x", Some(8482)), "https://cloud.example/x");
    }

    #[test]
    fn a_clear_text_address_becomes_that_of_the_tls_listener() {
        assert_eq!(for_base_url("http://127.0.0.1:8082", Some(8482)), "https://127.0.0.1:8482");
        assert_eq!(for_base_url("http://[::1]:8082/x", Some(8482)), "https://[::1]:8482/x");
        assert_eq!(for_base_url("http://[::1]", Some(8482)), "https://[::1]:8482");
        assert_eq!(for_base_url("http://cloud.example:8082/x", Some(443)), "https://cloud.example/x");
        assert_eq!(for_base_url("http://cloud.example:8082", None), "https://cloud.example:8082");
    }
}
