//! The operator's listener, on a port of its own: `/livez`, `/readyz`, `/metrics`. It must not be public.

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

pub(super) const REDIS_AWAY: Metric =
    Metric::gauge("redis_away", &[], "1 while Redis is configured but away. Each replica then counts for itself.");
pub(super) const JOBS_WAITING: Metric =
    Metric::gauge("jobs_waiting", &["kind"], "Jobs that are not done. It grows with too few workers.");
pub(super) const JOBS_LATE: Metric =
    Metric::gauge("jobs_late_seconds", &["kind"], "Seconds since the oldest waiting job became due.");

// Prometheus must get an answer while the database is away.
const JOB_COUNT_TIMEOUT: Duration = Duration::from_secs(1);

/// Whether the log says already that the service is not ready: probes come every few seconds.
#[derive(Clone, Default)]
struct NotReady(Arc<AtomicBool>);

type Kinds = Vec<&'static str>;

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
    // Probes and a scrape now and then need no more.
    .workers(1)
    .disable_signals()
    .listen(listener)
    .map_err(|error| Failure::fault("cannot serve the operator's endpoints").from_source(error))?;
    Ok(server.run())
}

// Nothing else is checked: a restart would not repair a database.
async fn live() -> HttpResponse {
    HttpResponse::Ok().json(serde_json::json!({"status": "live"}))
}

#[derive(Serialize)]
struct Ready {
    status: &'static str,
    /// Each is `ok`, `none` (not configured), or `away` with the cause.
    parts: Parts,
}

#[derive(Serialize)]
struct Parts {
    database: String,
    redis: String,
    issuer_keys: String,
}

/// Ready means that the database answers. The other parts are only reported.
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
    // Without Redis the service works with counters of its own, and for some time without its issuer too.
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
    match tokio::time::timeout(JOB_COUNT_TIMEOUT, jobs_waiting(&context, &kinds)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(?error, "jobs could not be counted: the gauges keep their values"),
        Err(_) => tracing::debug!("counting jobs took more than a second: the gauges keep their values"),
    }
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(metrics.render())
}

/// Sets the gauges of waiting jobs.
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
