//! The clients that may request a sign-in: the pages of the local services, as one public client.

use std::collections::BTreeMap;

use crate::{service_name::ServiceName, stack_file::ServiceEntry};

pub const CLIENT_ID: &str = "fourfold-pages";
/// The redirect path on each service.
const CALLBACK_PATH: &str = "/sign-in/callback";

/// Base URLs of the services. Each may be the resource of a token and receive redirects.
pub struct Clients(Vec<(ServiceName, String)>);

impl Clients {
    /// The URLs of these services, with and without TLS.
    pub fn new(services: &BTreeMap<ServiceName, ServiceEntry>) -> Self {
        let urls = |(service, entry): (&ServiceName, &ServiceEntry)| {
            [(*service, entry.base_url.clone()), (*service, entry.tls_base_url.clone())]
        };
        Self(services.iter().flat_map(urls).collect())
    }

    /// The service with this URL.
    pub fn service(&self, resource: &str) -> Option<ServiceName> {
        self.0.iter().find(|(_, url)| url == resource).map(|(service, _)| *service)
    }

    /// The base URL that this redirect URI belongs to.
    pub fn redirects(&self, redirect_uri: &str) -> Option<&str> {
        let own = redirect_uri.strip_suffix(CALLBACK_PATH)?;
        // Compared exactly, because a prefix match would send codes to http://127.0.0.1:8082.evil.example.
        self.0.iter().map(|(_, url)| url.as_str()).find(|url| *url == own)
    }
}
