//! The operator's listener: `/livez`, `/readyz`, `/metrics`. Not for the world; it has a port of its own.

use std::{
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use actix_web::{App, HttpResponse, HttpServer, dev::Server, web};

use crate::{Desk, Failure, telemetry};

/// Whether the service wants requests: on from the start, off from the first signal on.
#[derive(Clone, Debug)]
pub struct Readiness(Arc<AtomicBool>);

impl Readiness {
    /// On.
    pub fn on() -> Self {
        Self(Arc::new(AtomicBool::new(true)))
    }

    /// No new requests, please.
    pub fn off(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    fn is_on(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Serves the operator's endpoints on `listener`.
pub fn serve(listener: TcpListener, desk: Desk, readiness: Readiness) -> Result<Server, Failure> {
    // Made now, so that the first scrape finds what the first request recorded.
    telemetry::metrics();
    let server = HttpServer::new(move || {
        App::new()
            .app_data(web::Data::new(desk.clone()))
            .app_data(web::Data::new(readiness.clone()))
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
async fn ready(desk: web::Data<Desk>, readiness: web::Data<Readiness>) -> HttpResponse {
    if !readiness.is_on() {
        return HttpResponse::ServiceUnavailable().json(serde_json::json!({"status": "stopping"}));
    }
    match desk.db.ping().await {
        Ok(()) => HttpResponse::Ok().json(serde_json::json!({"status": "ready"})),
        Err(failure) => {
            tracing::warn!(%failure, "not ready");
            HttpResponse::ServiceUnavailable().json(serde_json::json!({"status": "database unavailable"}))
        }
    }
}

async fn metrics(desk: web::Data<Desk>) -> HttpResponse {
    let away = f64::from(u8::from(desk.counters.is_degraded()));
    metrics::gauge!("redis_away", "surface" => desk.surface.name).set(away);
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(telemetry::metrics().render())
}
