//! The operator's listener: `/livez`, `/readyz`, `/metrics`. Not for the world; it has a port of its own.

use std::{
    fmt::Display,
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use actix_web::{App, HttpResponse, HttpServer, dev::Server, web};
use serde::Serialize;
use shared_model::{Error, Failure};

use crate::{base::metrics::Metric, context::Context, jobs};

const REDIS_AWAY: Metric =
    Metric { name: "redis_away", help: "1 while Redis is configured and away: this process counts for itself." };
const JOBS_WAITING: Metric = Metric { name: "jobs_waiting", help: "Jobs that are not done, by kind." };
const JOBS_LATE: Metric =
    Metric { name: "jobs_late_seconds", help: "Time for which the oldest job has been due, by kind." };

/// How long the metrics wait for the database.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whether the log has it that the service is not ready: once, however often somebody probes.
#[derive(Clone, Default)]
struct NotReady(Arc<AtomicBool>);

/// The kinds of jobs that a service has.
type Kinds = Vec<&'static str>;

/// Serves the operator's endpoints on `listener`.
pub fn serve(listener: TcpListener, context: Context, kinds: Kinds) -> Result<Server, Failure> {
    let not_ready = NotReady::default();
    let server = HttpServer::new(move || {
        App::new()
            .app_data(web::Data::new(not_ready.clone()))
            .app_data(web::Data::new(context.clone()))
            .app_data(web::Data::new(kinds.clone()))
            .route("/livez", web::get().to(live))
            .route("/readyz", web::get().to(ready))
            .route("/metrics", web::get().to(metrics))
    })
    .workers(1)
    .disable_signals()
    .listen(listener)
    .map_err(|error| Failure::fault("cannot serve the operator's endpoints").from_source(error))?;
    Ok(server.run())
}

/// The process runs. Nothing else: a restart would not heal a database.
async fn live() -> HttpResponse {
    HttpResponse::Ok().json(serde_json::json!({"status": "live"}))
}

/// What a probe is told.
#[derive(Serialize)]
struct Ready {
    status: &'static str,
    /// Each in plain words: `ok`, `none` where there is none, or `away` and why.
    parts: Parts,
}

#[derive(Serialize)]
struct Parts {
    database: String,
    redis: String,
    issuer_keys: String,
}

/// The service can do its work: the database answers. The other parts are told and decide nothing: without Redis the
/// service works too, and so it does for a while without its issuer.
async fn ready(context: web::Data<Context>, not_ready: web::Data<NotReady>) -> HttpResponse {
    if !context.readiness.is_on() {
        return HttpResponse::ServiceUnavailable().json(serde_json::json!({"status": "stopping"}));
    }
    let database = context.db.ping().await;
    match &database {
        Err(failure) if !failure.is_already_logged() && !not_ready.0.swap(true, Ordering::Relaxed) => {
            tracing::warn!(%failure, "not ready");
        }
        Ok(()) if not_ready.0.swap(false, Ordering::Relaxed) => tracing::info!("ready again"),
        _ => {}
    }
    let is_ready = database.is_ok();
    let redis = context.redis.as_ref().map(|redis| redis.outage().map_or(Ok(()), Err));
    let parts = Parts {
        database: in_words(Some(database)),
        redis: in_words(redis),
        issuer_keys: in_words(context.verifier.keys_state()),
    };
    if is_ready {
        HttpResponse::Ok().json(Ready { status: "ready", parts })
    } else {
        HttpResponse::ServiceUnavailable().json(Ready { status: "not ready", parts })
    }
}

fn in_words(state: Option<Result<(), impl Display>>) -> String {
    match state {
        None => "none".to_owned(),
        Some(Ok(())) => "ok".to_owned(),
        Some(Err(cause)) => format!("away: {cause}"),
    }
}

async fn metrics(context: web::Data<Context>, kinds: web::Data<Kinds>) -> HttpResponse {
    let metrics = &context.metrics;
    let is_away = context.redis.as_ref().is_some_and(|redis| redis.outage().is_some());
    metrics.gauge(&REDIS_AWAY, &[]).set(f64::from(u8::from(is_away)));
    context.db.observe(metrics);
    context.verifier.observe(metrics);
    match tokio::time::timeout(PATIENCE, jobs_waiting(&context, &kinds)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(?error, "jobs were not counted: the gauges stay"),
        Err(_) => tracing::debug!("jobs were not counted within a second: the gauges stay"),
    }
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(metrics.render())
}

/// How many jobs there are, and for how long the oldest of each kind has been due.
async fn jobs_waiting(context: &Context, kinds: &Kinds) -> Result<(), Error> {
    if kinds.is_empty() {
        return Ok(());
    }
    let (now, waiting) = (context.clock.now(), context.read(|conn| Ok(jobs::waiting(conn)?)).await?);
    for kind in kinds {
        let (count, due) = match waiting.iter().find(|(name, ..)| name == kind) {
            Some((_, count, due)) => (*count, due.unwrap_or(now)),
            None => (0, now),
        };
        let late = (now.micros() - due.micros()).max(0);
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a floating-point number")]
        let (count, late) = (count as f64, late as f64 / 1e6);
        context.metrics.gauge(&JOBS_WAITING, &[("kind", kind)]).set(count);
        context.metrics.gauge(&JOBS_LATE, &[("kind", kind)]).set(late);
    }
    Ok(())
}
