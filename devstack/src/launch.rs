//! Settings that the services are started with.

use std::{collections::BTreeMap, error::Error as _, net::Ipv4Addr, path::PathBuf};

use shared_model::{Failure, Random, Secret};
use shared_runtime::{
    Clock,
    base::{signing_key::KeyFile, tls::TlsSettings},
    context::settings::{self, CheckedGroups, Settings},
    identity::settings::{IssuerSettings, JwksSource},
    pages::SignInClient,
    service::server::{self, Running},
    state::{
        blobs::BlobLocation, db::WrongDatabase, outbound::AllowRule, rate_limit::RateLimits, redis_link::RedisSettings,
    },
};

use crate::{
    addresses::{Addresses, JWKS_PATH},
    arguments::Run,
    certificate::Certificate,
    data_folder::DataFolder,
    databases,
    error::{StackError, cannot},
    issuer::CLIENT_ID,
    keys,
    ports::{self, Ports, ServicePorts, loopback},
    receiver,
    service_name::ServiceName,
    stack_file::ServiceEntry,
};

// Few read connections, because a local stack has few users and four services share one PostgreSQL.
const CONNECTIONS: usize = 4;

pub struct Launch {
    pub ports: Ports,
    databases: BTreeMap<ServiceName, String>,
    blobs: BTreeMap<ServiceName, PathBuf>,
    secrets: BTreeMap<ServiceName, Secret>,
    log_key: PathBuf,
    certificate: Certificate,
    redis: Option<RedisSettings>,
    rate_limits: RateLimits,
}

impl Launch {
    /// Chooses ports and databases; reads or creates secrets and certificates.
    pub fn make(folder: &DataFolder, arguments: &Run) -> Result<Self, StackError> {
        Ok(Self {
            ports: Ports::choose(folder, arguments.port_base)?,
            databases: databases::prepare(folder, arguments.postgres.as_ref())?,
            // The same default that a service has with a SQLite database.
            blobs: ServiceName::ALL
                .map(|service| (service, folder.path(&format!("{}.db.blobs", service.as_str()))))
                .into(),
            secrets: secrets(folder)?,
            log_key: folder.path(keys::LOG),
            certificate: Certificate::load_or_make(folder, Clock::System.now())?,
            rate_limits: rate_limits(arguments.rate_limits.as_deref())?,
            redis: arguments.redis.as_ref().map(|url| RedisSettings::at(url.as_str())),
        })
    }

    pub async fn start(&self, service: ServiceName) -> Result<(ServiceName, Running), StackError> {
        server::start(service.definition(), self.settings(service), Clock::System, Random::System)
            .await
            .map(|running| (service, running))
            .map_err(|failure| self.not_started(service, failure))
    }

    /// On PostgreSQL, databases outlive the data folder that holds their secrets: say so.
    fn not_started(&self, service: ServiceName, failure: Failure) -> StackError {
        let wrong = failure.source().and_then(|source| source.downcast_ref());
        if let Some(WrongDatabase::OtherSecret { place, .. }) = wrong {
            return StackError::new(format!(
                "{place} was made by a stack with another data folder: name that folder with --data DIR, or another \
                 database with --postgres, or drop the schema"
            ));
        }
        cannot(format!("start {}", service.as_str()))(failure)
    }

    fn settings(&self, service: ServiceName) -> Settings {
        let ports = self.ports.services[&service];
        let issuer = ports::issuer_url(self.ports.issuer);
        let mut groups = CheckedGroups::default();
        groups.insert(SignInClient { id: CLIENT_ID.to_owned(), internal: None });
        let (url, secret) = (self.databases[&service].clone(), self.secrets[&service].clone());
        Settings {
            tls: Some(TlsSettings {
                listen: loopback(ports.tls),
                certificates: self.certificate.chain.clone(),
                key: self.certificate.key.clone(),
            }),
            base_url: format!("http://{}", loopback(ports.api)),
            connections: CONNECTIONS,
            blobs: Some(BlobLocation::Folder(self.blobs[&service].clone())),
            redis: self.redis.clone(),
            issuer: Some(IssuerSettings { jwks: JwksSource::Url(format!("{issuer}{}", JWKS_PATH)), issuer }),
            groups,
            log_signing_key: Some(KeyFile::Generated(self.log_key.clone())),
            // Loopback is normally refused. Allowed here: the sample model and webhook, and one endpoint that people try.
            outbound_allow: [self.ports.issuer, self.ports.receiver].map(endpoint).into(),
            rate_limits: self.rate_limits.clone(),
            ..Settings::embedded(loopback(ports.api), loopback(ports.ops), url, secret)
        }
    }

    pub fn addresses(&self) -> Addresses {
        let issuer = ports::issuer_url(self.ports.issuer);
        let service = |(service, ports): (&ServiceName, &ServicePorts)| {
            let entry = ServiceEntry {
                base_url: format!("http://{}", loopback(ports.api)),
                tls_base_url: format!("https://{}", loopback(ports.tls)),
                ops_url: format!("http://{}", loopback(ports.ops)),
                database_url: self.databases[service].clone(),
            };
            (*service, entry)
        };
        Addresses {
            receiver: receiver::url(&issuer),
            issuer,
            services: self.ports.services.iter().map(service).collect(),
            certificate_authority_file: self.certificate.authority.clone(),
            issuer_reaches_internet: true,
        }
    }
}

fn endpoint(port: u16) -> AllowRule {
    AllowRule::Endpoint(Ipv4Addr::LOCALHOST.to_string(), port)
}

// Each service uses the limits it has. A name that no service has is a typing error.
fn rate_limits(text: Option<&str>) -> Result<RateLimits, StackError> {
    let mut known: Vec<_> =
        ServiceName::ALL.iter().flat_map(|service| service.definition().routes().limits()).collect();
    known.sort_unstable_by_key(|limit| limit.name);
    known.dedup_by_key(|limit| limit.name);
    settings::rate_limits(text, &known).map_err(|mistakes| StackError::new(mistakes.to_string()))
}

fn secrets(folder: &DataFolder) -> Result<BTreeMap<ServiceName, Secret>, StackError> {
    let secret = |service: ServiceName| {
        let name = format!("secrets/{}", service.as_str());
        let text = folder.read_or_write(&name, || Ok(keys::random_text()))?;
        let secret = Secret::from_text(&text).map_err(cannot(format!("use {}", folder.path(&name).display())))?;
        Ok((service, secret))
    };
    ServiceName::ALL.into_iter().map(secret).collect()
}
