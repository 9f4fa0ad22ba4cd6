//! Who may ask for a sign-in: the pages of the local services, as one public client.

use std::collections::BTreeMap;

use crate::{manifest::SurfaceEntry, surfaces::SurfaceName};

/// The client's id.
pub const CLIENT_ID: &str = "fourfold-pages";
/// Where the pages of a service have people sent back.
const CALLBACK_PATH: &str = "/sign-in/callback";

/// Where the services are: each may be a token's resource, and have people sent back.
pub struct Clients(Vec<(SurfaceName, String)>);

impl Clients {
    /// Those of these services, with and without TLS.
    pub fn of(surfaces: &BTreeMap<SurfaceName, SurfaceEntry>) -> Self {
        let urls = |(surface, entry): (&SurfaceName, &SurfaceEntry)| {
            [(*surface, entry.base_url.clone()), (*surface, entry.tls_base_url.clone())]
        };
        Self(surfaces.iter().flat_map(urls).collect())
    }

    /// The service at this URL.
    pub fn surface(&self, resource: &str) -> Option<SurfaceName> {
        self.0.iter().find(|(_, url)| url == resource).map(|(surface, _)| *surface)
    }

    /// The URL of the service that this redirect URI is exactly one of.
    pub fn redirects(&self, redirect_uri: &str) -> Option<&str> {
        let own = redirect_uri.strip_suffix(CALLBACK_PATH)?;
        self.0.iter().map(|(_, url)| url.as_str()).find(|url| *url == own)
    }
}
