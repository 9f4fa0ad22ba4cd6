//! The stack from start to stop: issuer, services, samples, banner; then it waits.

use std::collections::BTreeMap;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use shared_model::Secret;
use shared_runtime::{
    Clock,
    lifecycle::Signals,
    rate_limit::RateLimits,
    server::{self, Running, World},
    settings::{BODY_TIMEOUT, IssuerSettings, JwksSource, STOP_TIMEOUT, Settings, TlsSettings},
    telemetry::Stopwatch,
};

use crate::{
    arguments::Run,
    banner,
    certificate::Certificate,
    client::Client,
    databases,
    home::Home,
    issuer::{self, Issuer},
    keys::{self, KeptKey},
    manifest::{IssuerEntry, Manifest, SignerEntry, SurfaceEntry},
    ports::{Ports, loopback},
    samples::{self, Samples},
    surfaces::SurfaceName,
    tokens::{self, ADA, CAST, Caller, Claims, OTHER_WORKSPACE},
    trouble::{Trouble, cannot},
};

/// Connections for reads of each service: few, for a stack has few users.
const CONNECTIONS: usize = 4;

/// Runs the stack until a signal asks it to stop or a part of it dies.
pub async fn run(arguments: Run) -> Result<(), Trouble> {
    let started = Stopwatch::start();
    let mut signals = Signals::listen()?;
    let home = Home::make(&arguments.data)?;
    let _tenancy = home.move_in()?;
    let mut stack = tokio::select! {
        stack = Stack::start(&home, &arguments) => stack?,
        // Nothing has been promised to anybody yet.
        () = signals.next() => return Ok(()),
    };
    banner::print(&home, &stack.manifest, started.elapsed())?;
    let outcome = tokio::select! {
        () = signals.next() => Ok(()),
        part = stack.died() => Err(Trouble::new(format!("{part} has stopped by itself; the log above says why"))),
    };
    signals.unless_again(stack.stop()).await;
    outcome
}

struct Stack {
    issuer: Issuer,
    services: BTreeMap<SurfaceName, Running>,
    manifest: Manifest,
}

/// What the services are started with.
struct Plan {
    ports: Ports,
    databases: BTreeMap<SurfaceName, String>,
    secrets: BTreeMap<SurfaceName, Secret>,
    certificate: Certificate,
    redis_url: Option<String>,
}

impl Stack {
    async fn start(home: &Home, arguments: &Run) -> Result<Self, Trouble> {
        let issuer_key = KeptKey::load_or_make(home, keys::ISSUER)?;
        let signer_key = KeptKey::load_or_make(home, keys::SIGNER)?;
        let plan = Plan {
            ports: Ports::choose(home, arguments.port_base)?,
            databases: databases::prepare(home, arguments.postgres.as_ref())?,
            secrets: secrets(home)?,
            certificate: Certificate::load_or_make(home, Clock::System.now())?,
            redis_url: arguments.redis.as_ref().map(ToString::to_string),
        };
        let issuer = Issuer::start(plan.ports.issuer, &issuer_key)?;
        let (locker, cloud, orders, trust) = tokio::try_join!(
            plan.start(SurfaceName::Locker),
            plan.start(SurfaceName::Cloud),
            plan.start(SurfaceName::Orders),
            plan.start(SurfaceName::Trust),
        )?;
        let services = BTreeMap::from([locker, cloud, orders, trust]);
        samples::trust::register(&services[&SurfaceName::Trust].desk, signer_key.key.verifying_key()).await?;

        let mut manifest = plan.manifest(&issuer_key, &signer_key);
        if !arguments.no_samples {
            let known = Manifest::read(home)?.map(|manifest| manifest.samples).unwrap_or_default();
            manifest.samples = make_samples(home, &manifest, &services, &signer_key, &known).await?;
        }
        manifest.write(home)?;
        Ok(Self { issuer, services, manifest })
    }

    /// Waits until a part of the stack ends by itself, which none should; tells which.
    async fn died(&mut self) -> String {
        let mut watches: Vec<_> = Vec::new();
        for (surface, running) in &mut self.services {
            watches.push(Box::pin(async move {
                running.ended().await;
                surface.as_str().to_owned()
            }));
        }
        let services = futures_util::future::select_all(watches);
        tokio::select! {
            (part, ..) = services => part,
            _ = &mut self.issuer.task => "the issuer".to_owned(),
        }
    }

    async fn stop(self) {
        let services = self.services.into_values().map(Running::stop);
        futures_util::future::join_all(services).await;
        // The issuer goes last: requests in flight may still need its keys.
        self.issuer.stop().await;
    }
}

impl Plan {
    async fn start(&self, surface: SurfaceName) -> Result<(SurfaceName, Running), Trouble> {
        server::start(surface.service(), self.settings(surface), World::real())
            .await
            .map(|running| (surface, running))
            .map_err(cannot(format!("start {}", surface.as_str())))
    }

    fn settings(&self, surface: SurfaceName) -> Settings {
        let ports = self.ports.services[&surface];
        let issuer = issuer::url(self.ports.issuer);
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
            redis_url: self.redis_url.clone(),
            issuer: Some(IssuerSettings { jwks: JwksSource::Url(format!("{issuer}{}", issuer::JWKS_PATH)), issuer }),
            secret: self.secrets[&surface].clone(),
            trusted_proxies: Vec::new(),
            rate_limits: RateLimits::default(),
            body_timeout: BODY_TIMEOUT,
            stop_timeout: STOP_TIMEOUT,
        }
    }

    fn manifest(&self, issuer_key: &KeptKey, signer_key: &KeptKey) -> Manifest {
        let issuer = issuer::url(self.ports.issuer);
        let surface = |(surface, ports): (&SurfaceName, &crate::ports::ServicePorts)| {
            let entry = SurfaceEntry {
                base_url: format!("http://{}", loopback(ports.api)),
                tls_base_url: format!("https://{}", loopback(ports.tls)),
                ops_url: format!("http://{}", loopback(ports.ops)),
                database_url: self.databases[surface].clone(),
            };
            (*surface, entry)
        };
        let surfaces: BTreeMap<_, _> = self.ports.services.iter().map(surface).collect();
        let mut tokens: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for caller in CAST {
            let audience = &surfaces[&caller.surface].base_url;
            let now = Clock::System.now();
            let claims = Claims::new(caller.surface, &issuer, audience, caller.subject, now, tokens::SAMPLE_TTL);
            tokens.entry(caller.surface).or_default().insert(caller.name.to_owned(), claims.sign(issuer_key));
        }
        Manifest {
            issuer: IssuerEntry {
                jwks_url: format!("{issuer}{}", issuer::JWKS_PATH),
                url: issuer,
                signing_key_file: issuer_key.file.clone(),
                kid: issuer_key.kid(),
            },
            surfaces,
            tokens,
            signer: SignerEntry {
                key_id: samples::trust::key_id(&signer_key.key.verifying_key()),
                signing_key_file: signer_key.file.clone(),
            },
            certificate_authority_file: self.certificate.authority.clone(),
            samples: Samples::default(),
        }
    }
}

fn secrets(home: &Home) -> Result<BTreeMap<SurfaceName, Secret>, Trouble> {
    let secret = |surface: SurfaceName| {
        let name = format!("secrets/{}", surface.as_str());
        let text = home.kept(&name, || Ok(BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())))?;
        let secret = Secret::from_text(&text).map_err(cannot(format!("use {}", home.path(&name).display())))?;
        Ok((surface, secret))
    };
    SurfaceName::ALL.into_iter().map(secret).collect()
}

async fn make_samples(
    home: &Home,
    manifest: &Manifest,
    services: &BTreeMap<SurfaceName, Running>,
    signer_key: &KeptKey,
    known: &Samples,
) -> Result<Samples, Trouble> {
    let client = Client::new()?;
    let desk = |surface: SurfaceName| &services[&surface].desk;
    let base_url = |surface: SurfaceName| manifest.surfaces[&surface].base_url.as_str();
    let token = |caller: Caller| manifest.tokens[&caller.surface][caller.name].as_str();
    let trust = desk(SurfaceName::Trust);
    let (locker, cloud, orders, trust) = tokio::try_join!(
        samples::locker::make(desk(SurfaceName::Locker), &client, base_url(SurfaceName::Locker)),
        samples::cloud::make(&client, base_url(SurfaceName::Cloud), token(ADA), token(OTHER_WORKSPACE), &known.cloud),
        samples::orders::make(desk(SurfaceName::Orders)),
        samples::trust::make(home, &client, base_url(SurfaceName::Trust), &signer_key.key, trust.clock.now()),
    )?;
    Ok(Samples { locker, cloud, orders, trust })
}
