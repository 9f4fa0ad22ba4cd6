//! Settings from the environment or the command line. They are checked together, and all mistakes are reported
//! together.

mod arguments;
mod checked_groups;
mod checks;
mod described;
#[cfg(test)]
mod env_example;
mod from_file;
mod groups;
mod lookalikes;
mod mistakes;
pub mod optional;

use std::{net::SocketAddr, time::Duration};

use ipnet::IpNet;
use shared_model::Secret;

use crate::{
    base::{https_url, signing_key::KeyFile, tls::TlsSettings},
    identity::settings::IssuerSettings,
    state::{
        blobs::BlobLocation,
        outbound::AllowRule,
        rate_limit::{LimitClass, RateLimits},
        redis_link::RedisSettings,
    },
};

pub use arguments::{HEADING, SettingsArguments};
pub use checked_groups::CheckedGroups;
pub use described::{DescribedSetting, described};
pub use groups::{AnyGroup, SettingsGroup};
pub use lookalikes::lookalikes;
pub use mistakes::Mistakes;

/// For one request body to arrive.
pub const BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// For requests in flight to finish when the service stops.
pub const STOP_TIMEOUT: Duration = Duration::from_secs(20);

/// Checked settings of one service. They are shared, so a service changes none of them while it runs.
#[derive(Clone, Debug)]
pub struct Settings {
    /// In clear text.
    pub listen: SocketAddr,
    /// For `/livez`, `/readyz` and `/metrics`.
    pub ops_listen: SocketAddr,
    pub tls: Option<TlsSettings>,
    /// Without a trailing slash; also the resource id (`aud`). Empty until the service knows the port it listens on.
    pub base_url: String,
    /// `sqlite:PATH`, `postgres://…` or `postgresql://…`.
    pub database_url: String,
    /// Connections for reads, and on PostgreSQL for writes too.
    pub connections: usize,
    pub blobs: Option<BlobLocation>,
    /// `None` keeps counters and locks in this process.
    pub redis: Option<RedisSettings>,
    /// `None`: operations that need a token answer 401 `identity_not_configured`.
    pub issuer: Option<IssuerSettings>,
    /// The secret behind cursors, tags and links.
    pub secret: Secret,
    /// `None` in services without a log.
    pub log_signing_key: Option<KeyFile>,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Origins whose pages may call operations, as browsers send them.
    pub cors_origins: Vec<String>,
    /// Networks that the service may call although they are not public.
    pub outbound_allow: Vec<AllowRule>,
    /// Only those that differ from the defaults of the classes.
    pub rate_limits: RateLimits,
    pub role: Role,
    pub body_timeout: Duration,
    pub stop_timeout: Duration,
    /// Settings that only this service has.
    pub groups: CheckedGroups,
}

impl Settings {
    /// A database and a secret, and no other service: everything else has its default.
    pub fn embedded(listen: SocketAddr, ops_listen: SocketAddr, database_url: String, secret: Secret) -> Self {
        Self {
            listen,
            ops_listen,
            tls: None,
            base_url: String::new(),
            database_url,
            // Few: SQLite readers are fast, and every connection costs file descriptors and memory.
            connections: 4,
            blobs: None,
            redis: None,
            issuer: None,
            secret,
            log_signing_key: None,
            trusted_proxies: Vec::new(),
            cors_origins: Vec::new(),
            outbound_allow: Vec::new(),
            rate_limits: RateLimits::default(),
            role: Role::All,
            body_timeout: BODY_TIMEOUT,
            stop_timeout: STOP_TIMEOUT,
            groups: CheckedGroups::default(),
        }
    }

    /// The URL of the TLS listener, where `base_url` is in clear text.
    pub fn tls_base_url(&self) -> Option<String> {
        let tls = self.tls.as_ref().filter(|_| self.base_url.starts_with("http://"))?;
        Some(https_url::for_base_url(&self.base_url, Some(tls.listen.port())))
    }
}

/// Reads `name=number,…`.
pub fn rate_limits(text: Option<&str>, known: &[&LimitClass]) -> Result<RateLimits, Mistakes> {
    let mut mistakes = Mistakes::default();
    let limits = checks::rate_limits(&mut mistakes, text, known);
    if mistakes.is_empty() { Ok(limits) } else { Err(mistakes) }
}

shared_model::text_enum! {
    /// What one process of a service does.
    pub enum Role {
        /// It answers requests and works in the background.
        All = "all",
        /// It answers requests; another process works in the background.
        Api = "api",
        /// It works in the background; only the operator's endpoints listen.
        Worker = "worker",
    }
}
