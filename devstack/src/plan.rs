//! What the services are started with.

use std::{collections::BTreeMap, error::Error as _, path::PathBuf};

use shared_model::{Failure, Secret};
use shared_runtime::{
    Clock, Random,
    base::{signing_key::KeyPlace, tls::TlsSettings},
    context::settings::{self, BODY_TIMEOUT, STOP_TIMEOUT, Settings, WorkerMode},
    identity::settings::{IssuerSettings, JwksSource},
    service::server::{self, Running},
    state::{blobs::BlobPlace, db::WrongDatabase, rate_limit::RateLimits, redis_link::RedisSettings},
};

use crate::{
    arguments::Run,
    certificate::Certificate,
    databases,
    error::{StackError, cannot},
    home::Home,
    issuer::CLIENT_ID,
    keys,
    manifest::SurfaceEntry,
    places::{JWKS_PATH, Places},
    ports::{self, Ports, ServicePorts, loopback},
    receiver,
    surfaces::SurfaceName,
};

/// Connections for reads of each service: few, for a stack has few users.
const CONNECTIONS: usize = 4;

/// What the services are started with.
pub struct Plan {
    /// Where everything listens.
    pub ports: Ports,
    databases: BTreeMap<SurfaceName, String>,
    blobs: BTreeMap<SurfaceName, PathBuf>,
    secrets: BTreeMap<SurfaceName, Secret>,
    log_key: PathBuf,
    certificate: Certificate,
    redis: Option<RedisSettings>,
    rate_limits: RateLimits,
}

impl Plan {
    /// Decides on ports and databases, and finds or makes what is kept.
    pub fn make(home: &Home, arguments: &Run) -> Result<Self, StackError> {
        Ok(Self {
            ports: Ports::choose(home, arguments.port_base)?,
            databases: databases::prepare(home, arguments.postgres.as_ref())?,
            // Where the service itself would look beside its SQLite database.
            blobs: SurfaceName::ALL
                .map(|surface| (surface, home.path(&format!("{}.db.blobs", surface.as_str()))))
                .into(),
            secrets: secrets(home)?,
            log_key: home.path(keys::LOG),
            certificate: Certificate::load_or_make(home, Clock::System.now())?,
            rate_limits: rate_limits(arguments.rate_limits.as_deref())?,
            redis: arguments.redis.as_ref().map(|url| RedisSettings::at(url.as_str())),
        })
    }

    /// Starts one service.
    pub async fn start(&self, surface: SurfaceName) -> Result<(SurfaceName, Running), StackError> {
        server::start(surface.service(), self.settings(surface), Clock::System, Random::System)
            .await
            .map(|running| (surface, running))
            .map_err(|failure| self.not_started(surface, failure))
    }

    /// Why a service does not start. On PostgreSQL the databases outlive the folder that has their secrets.
    fn not_started(&self, surface: SurfaceName, failure: Failure) -> StackError {
        let wrong = failure.source().and_then(|source| source.downcast_ref());
        if let Some(WrongDatabase::OtherSecret { place, .. }) = wrong {
            return StackError::new(format!(
                "{place} was made by a stack with another data folder: name that folder with --data DIR, or another \
                 database with --postgres, or drop the schema"
            ));
        }
        cannot(format!("start {}", surface.as_str()))(failure)
    }

    fn settings(&self, surface: SurfaceName) -> Settings {
        let ports = self.ports.services[&surface];
        let issuer = ports::issuer_url(self.ports.issuer);
        Settings {
            listen: loopback(ports.api),
            ops_listen: loopback(ports.ops),
            tls: Some(TlsSettings {
                listen: loopback(ports.tls),
                certificates: self.certificate.chain.clone(),
                key: self.certificate.key.clone(),
            }),
            base_url: format!("http://{}", loopback(ports.api)),
            database_url: self.databases[&surface].clone(),
            connections: CONNECTIONS,
            blobs: Some(BlobPlace::Folder(self.blobs[&surface].clone())),
            redis: self.redis.clone(),
            issuer: Some(IssuerSettings { jwks: JwksSource::Url(format!("{issuer}{}", JWKS_PATH)), issuer }),
            sign_in_client_id: Some(CLIENT_ID.to_owned()),
            secret: self.secrets[&surface].clone(),
            log_signing_key: Some(KeyPlace::Kept(self.log_key.clone())),
            trusted_proxies: Vec::new(),
            log_witnesses: None,
            log_witnesses_needed: None,
            // The sample room's model, the sample webhook's receiver, and endpoints that people try.
            outbound_allow: vec!["127.0.0.1/32".parse().expect("a network of ours")],
            rate_limits: self.rate_limits.clone(),
            workers: WorkerMode::On,
            body_timeout: BODY_TIMEOUT,
            stop_timeout: STOP_TIMEOUT,
        }
    }

    /// Where everything is.
    pub fn places(&self) -> Places {
        let issuer = ports::issuer_url(self.ports.issuer);
        let surface = |(surface, ports): (&SurfaceName, &ServicePorts)| {
            let entry = SurfaceEntry {
                base_url: format!("http://{}", loopback(ports.api)),
                tls_base_url: format!("https://{}", loopback(ports.tls)),
                ops_url: format!("http://{}", loopback(ports.ops)),
                database_url: self.databases[surface].clone(),
            };
            (*surface, entry)
        };
        Places {
            receiver: receiver::url(&issuer),
            issuer,
            surfaces: self.ports.services.iter().map(surface).collect(),
            certificate_authority_file: self.certificate.authority.clone(),
        }
    }
}

/// A service takes those of its own limits; a name that none of them has is a mistake.
fn rate_limits(text: Option<&str>) -> Result<RateLimits, StackError> {
    let mut known: Vec<_> = SurfaceName::ALL.iter().flat_map(|surface| surface.service().routes().limits()).collect();
    known.sort_unstable_by_key(|limit| limit.name);
    known.dedup_by_key(|limit| limit.name);
    settings::rate_limits(text, &known).map_err(|mistakes| StackError::new(mistakes.to_string()))
}

fn secrets(home: &Home) -> Result<BTreeMap<SurfaceName, Secret>, StackError> {
    let secret = |surface: SurfaceName| {
        let name = format!("secrets/{}", surface.as_str());
        let text = home.kept(&name, || Ok(keys::random_text()))?;
        let secret = Secret::from_text(&text).map_err(cannot(format!("use {}", home.path(&name).display())))?;
        Ok((surface, secret))
    };
    SurfaceName::ALL.into_iter().map(secret).collect()
}
