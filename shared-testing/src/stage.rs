//! The stage: one service that runs in the test's own process, on a database and ports of its own.

use std::{future::IntoFuture, net::SocketAddr, pin::Pin, rc::Rc, sync::Arc, time::Duration};

use shared_model::{Secret, Timestamp};
use shared_runtime::{
    Clock, Context, Routes,
    base::{random::Random, signing_key::KeyPlace},
    context::settings::{Settings, WorkerMode},
    identity::settings::{IssuerSettings, JwksSource},
    service::{Service, server},
    state::{blobs::BlobPlace, rate_limit::RateLimits, redis_link::RedisSettings},
};
use tempfile::TempDir;

use crate::{
    browser::Browser,
    caller::Caller,
    database::{Database, count},
    failures,
    request::Request,
    run::add_cleanup,
    servers,
    test_server::TestServer,
    token::{Issuer, Token},
};

/// The secret of every service under test: a command that is run beside one needs it to be let into the database.
pub const SERVICE_SECRET: &str = "0123456789abcdef0123456789abcdef";

/// A running service with a clock that stands still, a fresh database, and an issuer whose tokens it trusts.
pub struct Stage {
    /// The service's state, to look at and to provision.
    pub context: Context,
    /// Moves only by `advance`. It starts at the machine's time.
    pub clock: Clock,
    /// The issuer that the service trusts.
    pub issuer: Issuer,
    service: Service,
    server: Rc<TestServer>,
    ops: Rc<TestServer>,
    folder: Arc<TempDir>,
}

/// A stage before it is set up; `.await` sets it up.
pub struct StageBuilder {
    service: Service,
    clock: Clock,
    random: Random,
    settings: Settings,
    issuer: Issuer,
    folder: TempDir,
    database: Database,
}

impl Stage {
    /// A stage for this service: embedded, or on the servers that the run has.
    pub fn of(service: Service) -> StageBuilder {
        failures::listen();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let servers = servers::of_this_run();
        let database = Database::fresh(servers.as_ref(), folder.path());
        let issuer = Issuer::new("https://issuer.test", "first");
        let jwks = issuer.write_jwks(folder.path());
        let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
        let settings = Settings {
            listen: any_port,
            ops_listen: any_port,
            tls: None,
            base_url: String::new(),
            database_url: database.url.clone(),
            connections: 4,
            blobs: Some(BlobPlace::Folder(folder.path().join("blobs"))),
            redis: servers.map(|servers| RedisSettings::at(servers.redis_url())),
            issuer: Some(IssuerSettings { issuer: issuer.url.clone(), jwks: JwksSource::File(jwks) }),
            sign_in_client_id: None,
            secret: Secret::from_text(SERVICE_SECRET).expect("long enough"),
            log_signing_key: Some(KeyPlace::Kept(folder.path().join("log-signing-key"))),
            log_witnesses: None,
            log_witnesses_needed: None,
            trusted_proxies: Vec::new(),
            outbound_allow: Vec::new(),
            rate_limits: RateLimits::default(),
            workers: WorkerMode::On,
            body_timeout: Duration::from_secs(1),
            stop_timeout: Duration::from_secs(1),
        };
        let clock = Clock::at(Clock::System.now());
        StageBuilder { service, clock, random: Random::System, settings, issuer, folder, database }
    }

    /// Someone without a token.
    pub fn anyone(&self) -> Caller {
        Caller::anonymous(Rc::clone(&self.server))
    }

    /// Someone with a good token: every scope that the service knows, workspace 1 where there are workspaces, an owner
    /// grant where grants have kinds. Two names are two subjects and two grants.
    pub fn caller(&self, name: &str) -> Caller {
        let token = Token::of_owner(&self.service, &self.issuer, self.context.base_url(), name, self.clock.now());
        Caller::with_token(Rc::clone(&self.server), token)
    }

    /// The same person with a browser, who has signed in to the service's pages.
    pub fn browser(&self, caller: &Caller) -> Browser {
        Browser::new(Rc::clone(&self.server), &self.context, caller)
    }

    /// The service's table of routes.
    pub fn routes(&self) -> Routes {
        self.service.routes()
    }

    /// What the service is made of.
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// The service's base URL without a trailing slash.
    pub fn base_url(&self) -> &str {
        self.context.base_url()
    }

    /// Where the service listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// Its metrics, as an operator sees them.
    pub async fn metrics(&self) -> String {
        let response = Request::new(Rc::clone(&self.ops), "GET", "/metrics".to_owned()).send().await;
        response.expect("the operator's endpoint answers").body()
    }

    /// The time on the stage.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Rows of a table of its database.
    pub fn count(&self, table: &str) -> i64 {
        count(&self.context.settings.database_url, table)
    }

    /// A folder that lives as long as the stage.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// This test breaks things on purpose: failures in the log are no mistake.
    pub fn expects_failures(&self) {
        self.server.expects_failures.set(true);
    }
}

impl StageBuilder {
    /// With other settings.
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    /// With randomness that a seed determines.
    pub fn seeded(mut self, seed: u64) -> Self {
        self.random = Random::seeded(seed);
        self
    }

    /// At this time.
    pub fn at(mut self, timestamp: Timestamp) -> Self {
        self.clock = Clock::at(timestamp);
        self
    }
}

impl IntoFuture for StageBuilder {
    type Output = Stage;
    type IntoFuture = Pin<Box<dyn Future<Output = Stage>>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let Self { service, clock, random, settings, issuer, folder, database } = self;
            let running = server::start(service.clone(), settings, clock.clone(), random).await;
            let running = running.unwrap_or_else(|failure| panic!("the service does not start: {failure}"));
            let server = TestServer::at(running.address);
            let (context, ops) = (running.context.clone(), TestServer::at(running.ops_address));
            let folder = Arc::new(folder);
            let kept = Arc::clone(&folder);
            let inside = add_cleanup(async move {
                running.stop().await;
                // The service is gone: nobody holds a connection or a file any more.
                drop(database);
                drop(kept);
            });
            assert!(inside, "a stage is set up inside a #[shared_testing::test]");
            Stage { context, clock, issuer, service, server: Rc::new(server), ops: Rc::new(ops), folder }
        })
    }
}
