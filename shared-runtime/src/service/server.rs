//! Starts a service; used by `main`, the tests and the local stack.

use std::{
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::Duration,
};

use actix_web::{
    App,
    dev::{Server, ServerHandle},
    rt, web,
};
use futures_util::{
    FutureExt as _,
    future::{LocalBoxFuture, OptionFuture},
};
use shared_model::Failure;
use socket2::SockRef;
use tokio::{sync::watch, task::JoinHandle};

use super::{
    connections::{self, Listeners, OpenConnections},
    definition::{Prepared, PutState, Service},
    ops,
};
use crate::{
    base::{
        allocator,
        clock::Clock,
        metrics::{self, Metrics},
        tls::{self, ServerCertificate},
    },
    context::{
        Context, ServiceState,
        readiness::Readiness,
        settings::{Role, Settings},
    },
    http::{contract::Contract, measures::HttpMeasures, openapi::OpenApiText, operations::OperationTable},
    idempotency,
    identity::{IdentityRules, Verifier, challenge::MCP_PATH},
    jobs::Workers,
    mcp::McpServer,
    pages,
    state::{
        blobs::Blobs,
        bounds::Bounds,
        db::{DatabaseIdentity, Db},
        in_flight::InFlightLocks,
        outbound::Outbound,
        rate_limit::RateLimiter,
        redis_link::RedisLink,
        sweep,
    },
};
use shared_model::Random;

// TCP_USER_TIMEOUT: the kernel ends a connection whose client does not read. A download holds memory for as long.
const STALL_TIMEOUT: Duration = Duration::from_secs(60);
pub struct Running {
    /// Where the API listens, or would listen in a worker.
    pub address: SocketAddr,
    pub tls_address: Option<SocketAddr>,
    pub ops_address: SocketAddr,
    /// For tests, and for importers in the same process.
    pub context: Context,
    pub(super) api: Option<Serving>,
    pub(super) connections: OpenConnections,
    pub(super) ops: Serving,
    pub(super) workers: Option<Workers>,
    pub(super) background_tasks: Vec<JoinHandle<()>>,
}

/// Opens the listeners, migrates the database, and starts background work. Port 0 takes a free port. Needs an actix
/// system.
pub fn start(
    service: Service,
    settings: Settings,
    clock: Clock,
    random: Random,
) -> LocalBoxFuture<'static, Result<Running, Failure>> {
    // Boxed here: the body of an async function is compiled by the crate that awaits it, in each program and test.
    Box::pin(start_unboxed(service, settings, clock, random))
}

async fn start_unboxed(
    service: Service,
    mut settings: Settings,
    clock: Clock,
    random: Random,
) -> Result<Running, Failure> {
    let role = settings.role;
    let listeners = if role == Role::Worker { None } else { Some(open(&mut settings)?) };
    let ops_listener = listen(settings.ops_listen)?;
    let ops_address = local_address(&ops_listener)?;
    let address = settings.listen;
    let tls_address = settings.tls.as_ref().map(|tls| tls.listen);
    let certificate = listeners.as_ref().and_then(|open| Some(Arc::clone(&open.tls.as_ref()?.1)));
    // After the listeners: a port in use must not migrate the database first.
    let db = open_database(&service, &settings).await?;
    // A worker may run next to a serving process: leases in the database keep them apart.
    if role != Role::Worker {
        db.lock_for_serving()?;
    }
    let context = context_on(db, &service, settings, clock, random).await?;

    let connections = OpenConnections::default();
    let (states, background) = match listeners {
        Some(_) => {
            let Prepared { states, background } = (service.prepare)(context.clone()).await?;
            (Some(states), Some(background))
        }
        None => (None, None),
    };
    // Checked before the first request, so that a wrong password is in the log at the start.
    if let Some(redis) = &context.redis {
        redis.check().await;
    }
    // From here on nothing waits, so a stop signal finds a service that serves, and lets it finish.
    let serve = |(listeners, states)| serve(&service, &context, states, listeners, &connections);
    let api = listeners.zip(states).map(serve).transpose()?.map(Serving::spawn);
    let kinds = (service.jobs)(&context);
    let names = kinds.iter().map(|kind| kind.name).collect();
    let ops = Serving::spawn(ops::serve(ops_listener, context.clone(), names)?);
    let workers = (role != Role::Api).then(|| {
        let workers = Workers::start(context.clone(), kinds);
        match &service.works {
            Some(works) => workers.beside(|stopped| works(context.clone(), stopped)),
            None => workers,
        }
    });
    let sweeps = [&[idempotency::SWEEP, pages::ENDED_SESSIONS], service.sweeps].concat();
    let removal = service.removal.as_ref().map(|removal| removal(&context));
    let background_tasks = vec![
        rt::spawn(context.metrics.upkeep()),
        rt::spawn(context.verifier.refresh_keys()),
        sweep::spawn(context.db.clone(), context.clock.clone(), sweeps, removal),
        rt::spawn(OptionFuture::from(context.redis.clone().map(RedisLink::keep_checking)).map(drop)),
        rt::spawn(OptionFuture::from(background).map(drop)),
        rt::spawn(OptionFuture::from(certificate.map(|served| served.follow(tls::INTERVAL))).map(drop)),
    ];
    announce(&service, &context, ops_address);
    Ok(Running { address, tls_address, ops_address, context, api, connections, ops, workers, background_tasks })
}

fn announce(service: &Service, context: &Context, ops_address: SocketAddr) {
    let settings = &context.settings;
    let issuer = settings.issuer.as_ref();
    if issuer.is_none() && service.routes().contracts().any(|contract| contract.required().is_some()) {
        tracing::warn!("ISSUER and JWKS are not set: operations that need a token answer 401 identity_not_configured");
    }
    if settings.blobs.is_none() && service.has_blobs() {
        tracing::warn!("BLOB_STORE is not set: operations on large files answer 500");
    }
    tracing::info!(
        surface = service.surface.name,
        version = metrics::VERSION,
        commit = metrics::COMMIT,
        address = %settings.listen,
        tls_address = settings.tls.as_ref().map(|tls| tls.listen.to_string()),
        %ops_address,
        base_url = settings.base_url,
        database = context.db.location(),
        redis = context.redis.as_ref().map_or("none", RedisLink::address),
        issuer = issuer.map_or("none", |issuer| &issuer.issuer),
        limits = %settings.rate_limits,
        role = %settings.role,
        "serving"
    );
}

/// Opens the listeners and writes their ports into the settings.
fn open(settings: &mut Settings) -> Result<Listeners, Failure> {
    let plain = listen(settings.listen)?;
    settings.listen = local_address(&plain)?;
    let mut with_tls = None;
    if let Some(tls) = &mut settings.tls {
        let certificate = ServerCertificate::load(tls)?;
        let listener = listen(tls.listen)?;
        tls.listen = local_address(&listener)?;
        with_tls = Some((listener, certificate));
    }
    Ok(Listeners { plain, tls: with_tls })
}

/// A context without listeners, for commands and importers. Migrates the database too.
pub async fn context(service: &Service, settings: Settings, clock: Clock, random: Random) -> Result<Context, Failure> {
    let db = open_database(service, &settings).await?;
    context_on(db, service, settings, clock, random).await
}

/// The database of a service with its owner, which is not looked at yet.
pub async fn open_database(service: &Service, settings: &Settings) -> Result<Db, Failure> {
    Db::open(&settings.database_url, settings.connections, identity(service, settings)).await
}

pub(super) fn identity(service: &Service, settings: &Settings) -> DatabaseIdentity {
    DatabaseIdentity::new(service.surface.name, &settings.secret, service.migrations)
}

async fn context_on(
    db: Db,
    service: &Service,
    mut settings: Settings,
    clock: Clock,
    random: Random,
) -> Result<Context, Failure> {
    tls::install_cryptography();
    if settings.base_url.is_empty() {
        // Only now is a port known that was chosen by the system.
        settings.base_url = format!("http://{}", settings.listen);
    }
    db.migrate().await?;
    let redis = settings.redis.as_ref().map(|redis| RedisLink::new(redis, clock.clone())).transpose()?;
    let routes = service.routes();
    let rules = IdentityRules {
        issuer: settings.issuer.clone(),
        base_url: settings.base_url.clone(),
        tls_base_url: settings.tls_base_url(),
        mcp_scope: routes
            .contracts()
            .find(|contract| contract.path == MCP_PATH)
            .and_then(Contract::required)
            .map(|required| required.scope),
        claims: service.surface.claims,
        on_first_seen: service.on_first_seen,
    };
    let (surface, limits) = (service.surface, settings.rate_limits.clone());
    let metrics = Metrics::for_service(surface.name);
    db.measure(&metrics);
    let rate_limiter = RateLimiter::new(surface.name, limits, clock.clone(), redis.clone());
    Ok(Context::new(ServiceState {
        surface,
        readiness: Readiness::on(),
        blobs: Blobs::open(settings.blobs.as_ref())?,
        rate_limiter: rate_limiter.measured(&routes.limits(), &metrics),
        bounds: Arc::new(Bounds::default()),
        in_flight: InFlightLocks::new(clock.clone(), redis.clone()),
        redis,
        metrics,
        verifier: Verifier::new(rules, db.clone(), clock.clone()),
        db,
        clock,
        random,
        secret: settings.secret.clone(),
        outbound: Outbound::new(&settings.outbound_allow),
        settings: Arc::new(settings),
    }))
}

fn serve(
    service: &Service,
    context: &Context,
    states: Vec<PutState>,
    listeners: Listeners,
    open: &OpenConnections,
) -> Result<Server, Failure> {
    let routes = Arc::new(service.routes());
    let document = web::Data::new(OpenApiText::new(&service.published_openapi(), &routes));
    let keyed = web::Data::new(idempotency::KeyedOperations::from_routes(&routes));
    let operations = web::Data::new(OperationTable::from_routes(&routes));
    let pages = Arc::new(service.page_table());
    let tools = service.tools.map(|tools| web::Data::new(McpServer::new(tools, context)));
    let measures =
        web::Data::new(HttpMeasures::for_contracts(routes.contracts().chain(pages.contracts()), &context.metrics));
    let state = Arc::clone(&service.state);
    let app_context = context.clone();
    let descriptors = connections::raise_limit(context.settings.connections);
    let stop_timeout = context.settings.stop_timeout;
    let app = move || {
        // Runs once on each worker's own thread.
        rt::spawn(allocator::return_freed_memory());
        App::new()
            .app_data(web::Data::new(app_context.clone()))
            .app_data(document.clone())
            .app_data(keyed.clone())
            .app_data(measures.clone())
            .app_data(operations.clone())
            .configure(|app| {
                if let Some(tools) = &tools {
                    app.app_data(tools.clone());
                }
            })
            .configure(|app| state(&app_context, app))
            .configure(|app| states.iter().for_each(|put| put(app)))
            // Operations first: actix tries one pattern after another, and pages have many.
            .configure(|app| routes.configure(app))
            .configure(|app| pages.configure(app))
    };
    connections::serve(listeners, app, descriptors, stop_timeout, &context.metrics, open)
}

fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    let listener = TcpListener::bind(address).and_then(|listener| {
        // Accepted connections inherit it.
        SockRef::from(&listener).set_tcp_user_timeout(Some(STALL_TIMEOUT))?;
        Ok(listener)
    });
    listener.map_err(|error| Failure::fault(format!("cannot listen on {address}")).from_source(error))
}

fn local_address(listener: &TcpListener) -> Result<SocketAddr, Failure> {
    listener.local_addr().map_err(|error| Failure::fault("a listener has no address").from_source(error))
}

/// A server and its task.
pub(super) struct Serving {
    pub(super) handle: ServerHandle,
    pub(super) task: JoinHandle<std::io::Result<()>>,
    ended: watch::Receiver<bool>,
}

impl Serving {
    fn spawn(server: Server) -> Self {
        let (end, ended) = watch::channel(false);
        let handle = server.handle();
        let task = rt::spawn(async move {
            let outcome = server.await;
            end.send_replace(true);
            outcome
        });
        Self { handle, task, ended }
    }

    /// Returns when the listeners are closed, also after a panic of the task.
    async fn ended(&self) {
        let _ = self.ended.clone().wait_for(|ended| *ended).await;
    }
}

impl Running {
    /// Returns when a listener ends without [`Self::stop`], which should never happen.
    pub async fn ended(&self) {
        let api = async {
            match &self.api {
                Some(api) => api.ended().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = api => {}
            () = self.ops.ended() => {}
        }
    }
}
