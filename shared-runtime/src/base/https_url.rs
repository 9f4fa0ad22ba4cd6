//! The https form of an address, for the links that a service gives to people and programs.

/// The https form of a base URL: itself if it is one, else its host at the port that listens with TLS, if any.
pub fn form_of(base_url: &str, tls_port: Option<u16>) -> String {
    let Some(rest) = base_url.strip_prefix("http://") else { return base_url.to_owned() };
    let Some(port) = tls_port else { return format!("https://{rest}") };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = match authority.rsplit_once(':') {
        // The colons of an IPv6 address stand within brackets.
        Some((host, port)) if !port.ends_with(']') => host,
        _ => authority,
    };
    match port {
        // As clients write it, in `Host` too.
        443 => format!("https://{host}{path}"),
        port => format!("https://{host}:{port}{path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::form_of;

    #[test]
    fn an_https_address_stays_as_it_is() {
        assert_eq!(form_of("https://cloud.example/x", Some(8482)), "https://cloud.example/x");
    }

    #[test]
    fn a_clear_text_address_becomes_that_of_the_tls_listener() {
        assert_eq!(form_of("http://127.0.0.1:8082", Some(8482)), "https://127.0.0.1:8482");
        assert_eq!(form_of("http://[::1]:8082/x", Some(8482)), "https://[::1]:8482/x");
        assert_eq!(form_of("http://[::1]", Some(8482)), "https://[::1]:8482");
        assert_eq!(form_of("http://cloud.example:8082/x", Some(443)), "https://cloud.example/x");
        assert_eq!(form_of("http://cloud.example:8082", None), "https://cloud.example:8082");
    }
}
