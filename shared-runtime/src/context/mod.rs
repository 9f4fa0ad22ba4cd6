//! The state of one service, which every verb can reach.

pub mod readiness;
pub mod settings;

use std::{ops::Deref, sync::Arc};

use shared_model::{Error, Secret};

use readiness::Readiness;
use settings::Settings;

use crate::{
    base::{clock::Clock, https_url, metrics::Metrics, random::Random, surface::Surface},
    identity::Verifier,
    state::{
        blobs::Blobs,
        db::{Conn, Db},
        in_flight::InFlightLocks,
        outbound::Outbound,
        rate_limit::RateLimiter,
        redis_link::RedisLink,
    },
};

/// The state of one service, shared by all its requests.
#[derive(Clone)]
pub struct Context(Arc<ServiceState>);

/// What a [`Context`] shares.
pub struct ServiceState {
    /// The service's constants.
    pub surface: &'static Surface,
    /// Whether it wants requests.
    pub readiness: Readiness,
    /// What is counted and timed.
    pub metrics: Metrics,
    /// Settings, checked.
    pub settings: Arc<Settings>,
    /// The database.
    pub db: Db,
    /// Blobs.
    pub blobs: Blobs,
    /// Redis, if there is one, shared by the two below.
    pub redis: Option<RedisLink>,
    /// Charges requests.
    pub rate_limiter: RateLimiter,
    /// Keeps parallel requests with one idempotency key apart.
    pub in_flight: InFlightLocks,
    /// Checks access tokens.
    pub verifier: Verifier,
    /// The time.
    pub clock: Clock,
    /// Random ids.
    pub random: Random,
    /// The root of cursors, tags and capabilities.
    pub secret: Secret,
    /// Calls to addresses that strangers name.
    pub outbound: Outbound,
}

impl Context {
    /// The context of a service.
    pub fn new(state: ServiceState) -> Self {
        Self(Arc::new(state))
    }

    /// Runs a query on the read side.
    pub async fn read<T: Send + 'static>(
        &self,
        query: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.db.read(query).await
    }

    /// Runs a transaction in a write transaction; it may run more than once and must not act outside the database.
    pub async fn write<T: Send + 'static>(
        &self,
        transaction: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.db.write(transaction).await
    }

    /// The service's public base URL without a trailing slash, its resource id as well.
    pub fn base_url(&self) -> &str {
        &self.settings.base_url
    }

    /// The same with https: that of the TLS listener where the base URL is in clear text.
    pub fn https_base_url(&self) -> String {
        self.settings.tls_base_url().unwrap_or_else(|| https_url::form_of(self.base_url(), None))
    }

    /// A link to `path` (with its leading slash) of this service.
    pub fn href(&self, path: &str) -> String {
        format!("{}{path}", self.settings.base_url)
    }
}

impl Deref for Context {
    type Target = ServiceState;
    fn deref(&self) -> &ServiceState {
        &self.0
    }
}
