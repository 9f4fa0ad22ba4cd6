//! What the service knows beside the context: the key of its etags, its https address, and the information about itself.

use shared_model::Secret;
use shared_runtime::Context;

use crate::{ids::FileId, service_information::ServiceInformation};

/// The state of the cloud service, the same in every worker.
#[derive(Clone, Debug)]
pub struct Cloud {
    /// The key of file etags.
    pub etag_key: Secret,
    /// The service's https base URL, without a trailing slash.
    pub https_base: String,
    /// What `GET /v1/service` answers.
    pub information: ServiceInformation,
}

impl Cloud {
    /// The state that goes with this context.
    pub fn of(context: &Context) -> Self {
        let https_base = https_form(context.base_url(), context.settings.tls.as_ref().map(|tls| tls.listen.port()));
        Self {
            etag_key: context.secret.derive("file-etag"),
            information: ServiceInformation::of(context, &https_base),
            https_base,
        }
    }

    /// The page of a file for people.
    pub fn human_url(&self, file: FileId) -> String {
        format!("{}/f/{file}", self.https_base)
    }
}

/// The https spelling of a base URL: itself if it is one, else its host at the port that listens with TLS, if any.
pub fn https_form(base_url: &str, tls_port: Option<u16>) -> String {
    let Some(rest) = base_url.strip_prefix("http://") else { return base_url.to_owned() };
    let Some(port) = tls_port else { return format!("https://{rest}") };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = match authority.rsplit_once(':') {
        // The colons of an IPv6 address stand within brackets.
        Some((host, port)) if !port.ends_with(']') => host,
        _ => authority,
    };
    format!("https://{host}:{port}{path}")
}

#[cfg(test)]
mod tests {
    use super::https_form;

    #[test]
    fn an_https_address_stays_as_it_is() {
        assert_eq!(https_form("https://cloud.example/x", Some(8482)), "https://cloud.example/x");
    }

    #[test]
    fn a_clear_text_address_becomes_that_of_the_tls_listener() {
        assert_eq!(https_form("http://127.0.0.1:8082", Some(8482)), "https://127.0.0.1:8482");
        assert_eq!(https_form("http://[::1]:8082/x", Some(8482)), "https://[::1]:8482/x");
        assert_eq!(https_form("http://[::1]", Some(8482)), "https://[::1]:8482");
        assert_eq!(https_form("http://cloud.example:8082", None), "https://cloud.example:8082");
    }
}
