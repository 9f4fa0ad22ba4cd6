//! The names of a service as a protected resource: its base URL and, when that is http, the https URL of its TLS
//! listener. Each name has its own metadata, which must repeat the requested name (RFC 9728 §3.3), and is an accepted
//! `aud`.

use super::challenge::Challenge;

#[derive(Clone, Debug)]
pub struct ResourceNames {
    base: Challenge,
    tls: Option<Challenge>,
}

impl ResourceNames {
    pub fn new(base_url: &str, tls_base_url: Option<&str>) -> Self {
        Self { base: Challenge::new(base_url), tls: tls_base_url.map(Challenge::new) }
    }

    /// The challenges of the name that matches the request's `Host`.
    pub fn for_host(&self, host: Option<&str>) -> &Challenge {
        let is_asked = |tls: &&Challenge| {
            authority(tls.resource()).zip(host).is_some_and(|(own, asked)| own.eq_ignore_ascii_case(asked))
        };
        self.tls.as_ref().filter(is_asked).unwrap_or(&self.base)
    }

    pub fn audiences(&self) -> Vec<String> {
        [Some(&self.base), self.tls.as_ref()].into_iter().flatten().map(|name| name.resource().to_owned()).collect()
    }
}

fn authority(url: &str) -> Option<&str> {
    url.split_once("://")?.1.split('/').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_listener_tells_of_the_name_that_it_was_asked_by() {
        let both = ResourceNames::new("http://127.0.0.1:8082", Some("https://127.0.0.1:8482"));
        assert_eq!(both.for_host(Some("127.0.0.1:8482")).resource(), "https://127.0.0.1:8482");
        for host in [Some("127.0.0.1:8082"), Some("elsewhere.example"), None] {
            assert_eq!(both.for_host(host).resource(), "http://127.0.0.1:8082");
        }
        assert_eq!(both.audiences(), ["http://127.0.0.1:8082", "https://127.0.0.1:8482"]);
        assert_eq!(ResourceNames::new("https://cloud.example", None).audiences(), ["https://cloud.example"]);
    }
}
