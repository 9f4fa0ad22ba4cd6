//! The stage: one service in the test's process, with its own database and ports.

use std::{future::IntoFuture, net::SocketAddr, pin::Pin, rc::Rc, sync::Arc, time::Duration};

use shared_model::{Random, Secret, Timestamp};
use shared_runtime::{
    Clock, Context, Routes,
    base::signing_key::KeyFile,
    context::settings::Settings,
    identity::settings::{IssuerSettings, JwksSource},
    service::{Service, server},
    state::{blobs::BlobLocation, db::Migrations, redis_link::RedisSettings},
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

/// Secret of every service under test. Commands need it to open the same database.
pub const SERVICE_SECRET: &str = "0123456789abcdef0123456789abcdef";

/// A running service with a stopped clock and a fresh database. It trusts `issuer`.
pub struct Stage {
    /// The service's state.
    pub context: Context,
    /// Moves only by `advance`; starts at the current time.
    pub clock: Clock,
    pub issuer: Issuer,
    service: Service,
    server: Rc<TestServer>,
    ops: Rc<TestServer>,
    folder: Arc<TempDir>,
}

/// `.await` starts the stage.
pub struct StageBuilder {
    service: Service,
    clock: Clock,
    random: Random,
    settings: Settings,
    issuer: Issuer,
    folder: TempDir,
    database: Database,
    /// The migrations of an earlier release, and the rows that it wrote.
    earlier: Option<(Migrations, String)>,
}

impl Stage {
    /// Builds a stage for a service: embedded, or on the servers of this run.
    pub fn of(service: Service) -> StageBuilder {
        failures::listen();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let servers = servers::of_this_run();
        let database = Database::planned(servers.as_ref(), folder.path());
        let issuer = Issuer::new("https://issuer.test", "first");
        let jwks = issuer.write_jwks(folder.path());
        let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
        let secret = Secret::from_text(SERVICE_SECRET).expect("long enough");
        let settings = Settings {
            blobs: Some(BlobLocation::Folder(folder.path().join("blobs"))),
            redis: servers.map(|servers| RedisSettings::at(servers.redis_url())),
            issuer: Some(IssuerSettings { issuer: issuer.url.clone(), jwks: JwksSource::File(jwks) }),
            log_signing_key: Some(KeyFile::Generated(folder.path().join("log-signing-key"))),
            // Short, because tests wait for both timeouts in real time.
            body_timeout: Duration::from_secs(1),
            stop_timeout: Duration::from_secs(1),
            ..Settings::embedded(any_port, any_port, database.url.clone(), secret)
        };
        // Starts at the machine's time, which is also that of the blob store's files.
        let clock = Clock::at(Clock::System.now());
        StageBuilder { service, clock, random: Random::System, settings, issuer, folder, database, earlier: None }
    }

    /// A caller without a token.
    pub fn anyone(&self) -> Caller {
        Caller::anonymous(Rc::clone(&self.server))
    }

    /// A caller with a valid token: all scopes of the service; workspace 1 and kind `owner`, if its grants have these.
    /// Each name is a separate subject and grant.
    pub fn caller(&self, name: &str) -> Caller {
        let token = Token::of_owner(&self.service, &self.issuer, self.context.base_url(), name, self.clock.now());
        Caller::with_token(Rc::clone(&self.server), token)
    }

    /// The same person, signed in to the service's pages.
    pub fn browser(&self, caller: &Caller) -> Browser {
        let at = (self.context.surface, self.context.base_url(), &self.context.secret);
        Browser::new(Rc::clone(&self.server), at, caller, &self.clock)
    }

    pub fn routes(&self) -> Routes {
        self.service.routes()
    }

    pub fn service(&self) -> &Service {
        &self.service
    }

    /// Without a trailing slash.
    pub fn base_url(&self) -> &str {
        self.context.base_url()
    }

    pub fn address(&self) -> SocketAddr {
        self.server.address
    }

    pub async fn metrics(&self) -> String {
        let response = Request::new(Rc::clone(&self.ops), "GET", "/metrics".to_owned()).send().await;
        response.expect("the operator's endpoint answers").body()
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub fn count(&self, table: &str) -> i64 {
        count(&self.context.settings.database_url, table)
    }

    /// A folder that is deleted with the stage.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// For tests that cause failures on purpose: they may be in the log.
    pub fn expects_failures(&self) {
        self.server.expects_failures.set(true);
    }
}

impl StageBuilder {
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    /// Starts on a database of an earlier release, which had only these migrations and wrote what this SQL writes.
    pub fn upgrading(mut self, migrations: Migrations, rows: String) -> Self {
        self.earlier = Some((migrations, rows));
        self
    }

    /// Makes randomness repeatable.
    pub fn seeded(mut self, seed: u64) -> Self {
        self.random = Random::seeded(seed);
        self
    }

    /// Sets the time of the clock.
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
            let Self { service, clock, random, settings, issuer, folder, database, earlier } = self;
            match earlier {
                None => database.create(&service, &settings).await,
                Some((migrations, rows)) => database.create_earlier(&service, &settings, migrations, &rows).await,
            }
            let running = server::start(service.clone(), settings, clock.clone(), random).await;
            let running = running.unwrap_or_else(|failure| panic!("the service does not start: {failure}"));
            let server = TestServer::at(running.address);
            let (context, ops) = (running.context.clone(), TestServer::at(running.ops_address));
            let folder = Arc::new(folder);
            // The folder must outlive the service, even if the test has dropped its stage.
            let kept = Arc::clone(&folder);
            // Not in `Drop`, which cannot wait for the service to stop.
            let inside = add_cleanup(async move {
                running.stop().await;
                // The service has stopped, so nothing uses the database anymore.
                drop(database);
                drop(kept);
            });
            assert!(inside, "a stage is set up inside a #[shared_testing::test]");
            Stage { context, clock, issuer, service, server: Rc::new(server), ops: Rc::new(ops), folder }
        })
    }
}
