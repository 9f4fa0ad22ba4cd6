//! Settings from the environment or the command line (12-factor), checked together: all mistakes are reported at once.

mod arguments;
mod checks;
#[cfg(test)]
mod env_example;
mod from_file;
mod lookalikes;
mod mistakes;
pub mod on_command_line;

use std::{net::SocketAddr, time::Duration};

use ipnet::IpNet;
use shared_model::Secret;

use crate::{
    base::{https_url, signing_key::KeyPlace, tls::TlsSettings},
    identity::settings::IssuerSettings,
    state::{
        blobs::BlobPlace,
        outbound::Allowed,
        rate_limit::{LimitClass, RateLimits},
        redis_link::RedisSettings,
    },
};

pub use arguments::SettingsArguments;
pub use lookalikes::lookalikes;
pub use mistakes::Mistakes;

/// How long a request body may take to arrive.
pub const BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a stop waits for requests in flight.
pub const STOP_TIMEOUT: Duration = Duration::from_secs(20);

/// Checked settings of one service.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the API listens in clear text.
    pub listen: SocketAddr,
    /// Where `/livez`, `/readyz` and `/metrics` listen.
    pub ops_listen: SocketAddr,
    /// Where the API listens with TLS.
    pub tls: Option<TlsSettings>,
    /// The service's public base URL without a trailing slash; its resource id (`aud`) as well. While it is empty, the
    /// address that the service comes to listen on takes its place.
    pub base_url: String,
    /// `sqlite:PATH`, `postgres://…` or `postgresql://…`.
    pub database_url: String,
    /// Connections for reads, and on PostgreSQL for writes too.
    pub connections: usize,
    /// Where blobs are stored; none where no operation needs them.
    pub blobs: Option<BlobPlace>,
    /// None keeps counters and marks in this process.
    pub redis: Option<RedisSettings>,
    /// Who issues access tokens; none answers 401 `identity_not_configured`.
    pub issuer: Option<IssuerSettings>,
    /// The client id by which people sign in at the issuer; none: nobody can sign in.
    pub sign_in_client_id: Option<String>,
    /// The root of cursors, tags and capabilities.
    pub secret: Secret,
    /// Where the key is that signs the log's checkpoints; none where no operation needs it.
    pub log_signing_key: Option<KeyPlace>,
    /// The witnesses of the log, as they are written: the service that has a log reads them.
    pub log_witnesses: Option<String>,
    /// How many of them are needed, as it is written.
    pub log_witnesses_needed: Option<String>,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Networks beside the public ones that the service may call out to.
    pub outbound_allow: Vec<Allowed>,
    /// Limits that differ from the classes' own.
    pub rate_limits: RateLimits,
    /// Whether this process answers requests, works on jobs, or both.
    pub workers: WorkerMode,
    /// How long a request body may take to arrive.
    pub body_timeout: Duration,
    /// How long a stop waits for requests in flight.
    pub stop_timeout: Duration,
}

impl Settings {
    /// The https base URL beside a base URL in clear text: that of the TLS listener.
    pub fn tls_base_url(&self) -> Option<String> {
        let tls = self.tls.as_ref().filter(|_| self.base_url.starts_with("http://"))?;
        Some(https_url::form_of(&self.base_url, Some(tls.listen.port())))
    }
}

/// `name=number,…`: limits that differ from those of the classes there are.
pub fn rate_limits(text: Option<&str>, known: &[&LimitClass]) -> Result<RateLimits, Mistakes> {
    let mut mistakes = Mistakes::default();
    let limits = checks::rate_limits(&mut mistakes, text, known);
    if mistakes.is_empty() { Ok(limits) } else { Err(mistakes) }
}

shared_model::text_enum! {
    /// What one process of a service does.
    pub enum WorkerMode {
        /// It answers requests and works on jobs.
        On = "on",
        /// It answers requests; another process works on jobs.
        Off = "off",
        /// It works on jobs; only the operator's endpoints listen.
        Only = "only",
    }
}
