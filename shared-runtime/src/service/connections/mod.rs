//! Connections: limited in number, read only as fast as clients take their answers, and handed to actix's HTTP/1.1.
//!
//! `actix_web::HttpServer` cannot wrap the stream, so this repeats its `listen` with our own. It must wrap it because
//! actix-http reads pipelined requests without regard to unsent answers, and buffers those without a bound.

mod descriptors;
mod error;
mod handshake;
mod lingering;
pub mod measures;
mod open;
mod registry;
mod stream;

use std::{
    fmt,
    net::{SocketAddr, TcpListener},
    num::NonZero,
    rc::Rc,
    sync::Arc,
    thread,
    time::Duration,
};

use actix_http::{
    HttpService, Protocol, Request, Response,
    body::{BoxBody, MessageBody},
    error::DispatchError,
};
use actix_server::{GracefulShutdownSignal, Server};
use actix_service::{IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt as _, fn_service, map_config};
use actix_web::{dev::AppConfig, rt::net::TcpStream};
use shared_model::Failure;

use handshake::Handshakes;
use measures::ConnectionMeasures;
use registry::Registry;
use stream::{Connection, HEAD_TIMEOUT};

use crate::base::{metrics::Metrics, tls::ServerCertificate};

pub use descriptors::raise_limit;
pub use open::OpenConnections;

// Longer than the usual 60 s of a load balancer. So the balancer closes first, and never sends on a closed connection.
const KEEP_ALIVE: Duration = Duration::from_secs(75);
// As much as the edge sends in one piece.
const WRITE_BUFFER: usize = 16 * 1024;
// Evicted connections are still open while they are being closed.
const CLOSING_ALLOWANCE: usize = 32;

pub struct Listeners {
    pub plain: TcpListener,
    pub tls: Option<(TcpListener, Arc<ServerCertificate>)>,
}

/// Serves an app on the listeners, with a worker for each processor. `descriptors`: how many files the process may
/// open for connections.
pub fn serve<F, I, S, B>(
    listeners: Listeners,
    app: F,
    descriptors: usize,
    stop_timeout: Duration,
    metrics: &Metrics,
    open: &OpenConnections,
) -> Result<Server, Failure>
where
    F: Fn() -> I + Send + Clone + 'static,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig> + 'static,
    S::Error: Into<actix_web::Error> + 'static,
    S::InitError: fmt::Debug,
    S::Response: Into<Response<B>> + 'static,
    <S::Service as Service<Request>>::Future: 'static,
    S::Service: 'static,
    B: MessageBody + 'static,
{
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    // Both listeners may be busy at the same time, so each gets half.
    let each = (descriptors / workers / if listeners.tls.is_some() { 2 } else { 1 }).max(1);
    let mut builder = Server::build()
        .workers(workers)
        .max_concurrent_connections(descriptors / workers + CLOSING_ALLOWANCE)
        .shutdown_timeout(stop_timeout.as_secs())
        // Stopping is `shutdown.rs`, with a readiness that goes first.
        .disable_signals();
    let stopping = builder.graceful_shutdown_signal();
    let cannot = |error| Failure::fault("cannot serve the API").from_source(error);
    let (plain_app, plain_stopping, plain_open) = (app.clone(), stopping.clone(), open.clone());
    let measures = ConnectionMeasures::for_listener(metrics, "plain");
    builder = builder
        .listen("plain", listeners.plain, move || {
            let registry = Registry::bounded(each, measures.clone(), plain_open.clone());
            fn_service(move |stream: TcpStream| {
                let registry = Rc::clone(&registry);
                async move {
                    let peer = stream.peer_addr().ok();
                    sends_at_once(&stream);
                    Ok((Connection::new(stream, Registry::admit(&registry)?), Protocol::Http1, peer))
                }
            })
            .and_then(http(&plain_app, plain_stopping.clone()))
        })
        .map_err(cannot)?;
    if let Some((listener, certificate)) = listeners.tls {
        let (config, open) = (Arc::new(certificate.server_config()), open.clone());
        let measures = ConnectionMeasures::for_listener(metrics, "tls");
        builder = builder
            .listen("tls", listener, move || {
                let registry = Registry::bounded(each, measures.clone(), open.clone());
                let handshakes = Handshakes::new(Arc::clone(&config), measures.clone());
                fn_service(move |stream: TcpStream| {
                    let (registry, handshakes) = (Rc::clone(&registry), Rc::clone(&handshakes));
                    async move {
                        let peer = stream.peer_addr().ok();
                        sends_at_once(&stream);
                        let entry = Registry::admit(&registry)?;
                        let stream = handshakes.shake(stream, peer).await?;
                        Ok((Connection::new(stream, entry), Protocol::Http1, peer))
                    }
                })
                .and_then(http(&app, stopping.clone()))
            })
            .map_err(cannot)?;
    }
    Ok(builder.run())
}

/// Without it, the last piece of an answer of several waits for the client to confirm the one before. Clients put that
/// off for 40 ms.
fn sends_at_once(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        // A client that has left already; the first read says so.
        tracing::debug!(?error, "a connection cannot be set to send immediately");
    }
}

/// HTTP/1.1 on any stream, as `HttpServer` sets it up.
fn http<Io, F, I, S, B>(
    app: &F,
    stopping: GracefulShutdownSignal,
) -> impl ServiceFactory<
    (Connection<Io>, Protocol, Option<SocketAddr>),
    Config = (),
    Response = (),
    Error = DispatchError,
    InitError = (),
> + use<Io, F, I, S, B>
where
    Io: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + 'static,
    F: Fn() -> I,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig> + 'static,
    S::Error: Into<actix_web::Error> + 'static,
    S::InitError: fmt::Debug,
    S::Response: Into<Response<B>> + 'static,
    <S::Service as Service<Request>>::Future: 'static,
    S::Service: 'static,
    B: MessageBody + 'static,
{
    let app = app().into_factory().map_err(|error| -> Response<BoxBody> { error.into().error_response().into() });
    HttpService::build()
        .graceful_shutdown_signal(move || {
            let signal = stopping.clone();
            async move { signal.notified().await }
        })
        .client_request_timeout(HEAD_TIMEOUT)
        .h1_write_buffer_size(WRITE_BUFFER)
        .keep_alive(KEEP_ALIVE)
        .on_connect_ext(|connection: &Connection<Io>, extensions| {
            extensions.insert(connection.flow().clone());
        })
        .finish(map_config(app, |()| AppConfig::default()))
}
