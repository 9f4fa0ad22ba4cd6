//! The operator's listener: `/livez`, `/readyz`, `/metrics`. Not for the world; it has a port of its own.

use std::net::TcpListener;

use actix_web::{App, HttpResponse, HttpServer, dev::Server, web};
use shared_model::{Error, Failure};

use crate::{base::telemetry, context::Context, jobs};

/// The kinds of jobs that a service has.
type Kinds = Vec<&'static str>;

/// Serves the operator's endpoints on `listener`.
pub fn serve(listener: TcpListener, context: Context, kinds: Kinds) -> Result<Server, Failure> {
    // Made now, so that the first scrape finds what the first request recorded.
    telemetry::metrics();
    let server = HttpServer::new(move || {
        App::new()
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

/// The service can do its work: the database answers. Redis is no part of it; without Redis the service works too.
async fn ready(context: web::Data<Context>) -> HttpResponse {
    if !context.readiness.is_on() {
        return HttpResponse::ServiceUnavailable().json(serde_json::json!({"status": "stopping"}));
    }
    match context.db.ping().await {
        Ok(()) => HttpResponse::Ok().json(serde_json::json!({"status": "ready"})),
        Err(failure) => {
            tracing::warn!(%failure, "not ready");
            HttpResponse::ServiceUnavailable().json(serde_json::json!({"status": "database unavailable"}))
        }
    }
}

async fn metrics(context: web::Data<Context>, kinds: web::Data<Kinds>) -> HttpResponse {
    let away = f64::from(u8::from(context.rate_limiter.is_degraded()));
    metrics::gauge!("redis_away", "surface" => context.surface.name).set(away);
    if let Err(error) = jobs_waiting(&context, &kinds).await {
        tracing::debug!(?error, "jobs were not counted: the gauges stay");
    }
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(telemetry::metrics().render())
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
        metrics::gauge!("jobs_waiting", "surface" => context.surface.name, "kind" => *kind).set(count);
        metrics::gauge!("jobs_late_seconds", "surface" => context.surface.name, "kind" => *kind).set(late);
    }
    Ok(())
}
