//! The names of a service as a protected resource. They are its base URL and, when that is http, the https URL of its
//! TLS listener. Each is also a name with `/mcp`. Each name has its own metadata, which must repeat the requested name
//! (RFC 9728 §3.3), and is an accepted `aud`.

use super::challenge::{Challenge, MCP_METADATA_PATH, MCP_PATH};

#[derive(Clone, Debug)]
pub struct ResourceNames {
    base: Listener,
    tls: Option<Listener>,
}

#[derive(Clone, Debug)]
struct Listener {
    service: Challenge,
    mcp: Challenge,
}

impl ResourceNames {
    /// `mcp_scope` is what the endpoint for agents requires.
    pub fn new(base_url: &str, tls_base_url: Option<&str>, mcp_scope: Option<&'static str>) -> Self {
        let listener = |url| Listener { service: Challenge::new(url), mcp: Challenge::of_mcp(url, mcp_scope) };
        Self { base: listener(base_url), tls: tls_base_url.map(listener) }
    }

    /// The challenges of the name that matches the request's `Host` and path.
    pub fn for_request(&self, host: Option<&str>, path: &str) -> &Challenge {
        let is_asked = |tls: &&Listener| {
            authority(tls.service.resource()).zip(host).is_some_and(|(own, asked)| own.eq_ignore_ascii_case(asked))
        };
        let listener = self.tls.as_ref().filter(is_asked).unwrap_or(&self.base);
        if matches!(path, MCP_PATH | MCP_METADATA_PATH) { &listener.mcp } else { &listener.service }
    }

    pub fn audiences(&self) -> Vec<String> {
        let names =
            [Some(&self.base), self.tls.as_ref()].into_iter().flatten().flat_map(|own| [&own.service, &own.mcp]);
        names.map(|name| name.resource().to_owned()).collect()
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
        let both = ResourceNames::new("http://127.0.0.1:8082", Some("https://127.0.0.1:8482"), None);
        let name = |host, path| both.for_request(host, path).resource();
        assert_eq!(name(Some("127.0.0.1:8482"), "/v1/files"), "https://127.0.0.1:8482");
        assert_eq!(name(Some("127.0.0.1:8482"), "/mcp"), "https://127.0.0.1:8482/mcp");
        for host in [Some("127.0.0.1:8082"), Some("elsewhere.example"), None] {
            assert_eq!(name(host, "/mcp/"), "http://127.0.0.1:8082");
            assert_eq!(name(host, MCP_METADATA_PATH), "http://127.0.0.1:8082/mcp");
        }
        let [plain, tls] = ["http://127.0.0.1:8082", "https://127.0.0.1:8482"];
        assert_eq!(both.audiences(), [plain, &format!("{plain}/mcp"), tls, &format!("{tls}/mcp")]);
    }
}
