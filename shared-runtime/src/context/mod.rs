//! The state of one service, which every verb can reach.

pub mod readiness;
pub mod settings;

use std::{ops::Deref, sync::Arc};

use shared_model::{Error, Secret};

use readiness::Readiness;
use settings::Settings;

use crate::{
    base::{clock::Clock, https_url, metrics::Metrics, surface::Surface},
    identity::Verifier,
    state::{
        blobs::Blobs,
        bounds::Bounds,
        db::{Conn, Db},
        in_flight::InFlightLocks,
        outbound::Outbound,
        rate_limit::RateLimiter,
        redis_link::RedisLink,
    },
};
use shared_model::Random;

/// One service's state, shared by all its requests; cloning it is cheap.
#[derive(Clone)]
pub struct Context(Arc<ServiceState>);

pub struct ServiceState {
    pub surface: &'static Surface,
    pub readiness: Readiness,
    pub metrics: Metrics,
    pub settings: Arc<Settings>,
    pub db: Db,
    pub blobs: Blobs,
    /// Also used by `rate_limiter` and `in_flight`.
    pub redis: Option<RedisLink>,
    pub rate_limiter: RateLimiter,
    pub bounds: Arc<Bounds>,
    /// Locks of running commands, by idempotency key.
    pub in_flight: InFlightLocks,
    pub verifier: Verifier,
    pub clock: Clock,
    pub random: Random,
    /// The root of cursors, tags and capabilities.
    pub secret: Secret,
    pub outbound: Outbound,
}

impl Context {
    pub fn new(state: ServiceState) -> Self {
        // One allocation: verbs, jobs and tools each hold a clone for as long as they run.
        Self(Arc::new(state))
    }

    /// Runs a query on the read side.
    pub async fn read<T: Send + 'static>(
        &self,
        query: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.db.read(query).await
    }

    /// Runs a query whose statements all see the same rows: see [`Db::read_snapshot`].
    pub async fn read_snapshot<T: Send + 'static>(
        &self,
        query: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.db.read_snapshot(query).await
    }

    /// Runs a query of a few rows that are found by their keys: see [`Db::look_up`].
    pub async fn look_up<T: Send + 'static>(
        &self,
        query: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.db.look_up(query).await
    }

    /// Runs the closure in a write transaction. It may run more than once, so it must have no effect outside of the
    /// database.
    pub async fn write<T: Send + 'static>(
        &self,
        transaction: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.db.write(transaction).await
    }

    /// Without a trailing slash. Also the resource id that tokens name.
    pub fn base_url(&self) -> &str {
        &self.settings.base_url
    }

    /// `base_url` with https; the URL of the TLS listener where `base_url` is in clear text.
    pub fn https_base_url(&self) -> String {
        self.settings.tls_base_url().unwrap_or_else(|| https_url::for_base_url(self.base_url(), None))
    }

    /// An absolute link; `path` begins with a slash.
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
