//! Connections: bounded in number, read only as fast as their answers are taken, and handed to actix's HTTP/1.1.
//!
//! `actix_web::HttpServer` does not let one wrap the stream, so this is its `listen` with a stream of ours: actix-http reads
//! further pipelined requests whatever answers are still unsent, and keeps those in memory without a bound.

mod descriptors;
mod error;
mod handshake;
mod measures;
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
use stream::Connection;

use crate::base::metrics::Metrics;

pub use descriptors::raise_limit;
pub use open::OpenConnections;

/// How long a client may take to send the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// How long an idle connection is kept; longer than the usual 60 s of a load balancer, so that it hangs up first.
const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// Connections of a worker that may be open while evicted ones are being closed.
const BEING_CLOSED: usize = 32;

/// Where an API listens.
pub struct Listeners {
    /// In clear text.
    pub plain: TcpListener,
    /// With TLS.
    pub tls: Option<(TcpListener, rustls::ServerConfig)>,
}

/// Serves an app on the listeners, with a worker for each processor. `descriptors` is how many files the process may have
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
    let each = (descriptors / workers / if listeners.tls.is_some() { 2 } else { 1 }).max(1);
    let mut builder = Server::build()
        .workers(workers)
        .max_concurrent_connections(descriptors / workers + BEING_CLOSED)
        .shutdown_timeout(stop_timeout.as_secs())
        .disable_signals();
    let stopping = builder.graceful_shutdown_signal();
    let cannot = |error| Failure::fault("cannot serve the API").from_source(error);
    let (plain_app, plain_stopping, plain_open) = (app.clone(), stopping.clone(), open.clone());
    let measures = ConnectionMeasures::of(metrics, "plain");
    builder = builder
        .listen("plain", listeners.plain, move || {
            let registry = Registry::bounded(each, measures.clone(), plain_open.clone());
            fn_service(move |stream: TcpStream| {
                let registry = Rc::clone(&registry);
                async move {
                    let peer = stream.peer_addr().ok();
                    Ok((Connection::new(stream, Registry::admit(&registry)?), Protocol::Http1, peer))
                }
            })
            .and_then(http(&plain_app, plain_stopping.clone()))
        })
        .map_err(cannot)?;
    if let Some((listener, config)) = listeners.tls {
        let (config, open) = (Arc::new(config), open.clone());
        let measures = ConnectionMeasures::of(metrics, "tls");
        builder = builder
            .listen("tls", listener, move || {
                let registry = Registry::bounded(each, measures.clone(), open.clone());
                let handshakes = Handshakes::new(Arc::clone(&config), measures.clone());
                fn_service(move |stream: TcpStream| {
                    let (registry, handshakes) = (Rc::clone(&registry), Rc::clone(&handshakes));
                    async move {
                        let peer = stream.peer_addr().ok();
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

/// HTTP/1.1 on streams of any kind, as `HttpServer` sets it up.
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
        .keep_alive(KEEP_ALIVE)
        .on_connect_ext(|connection: &Connection<Io>, extensions| {
            extensions.insert(connection.flow().clone());
        })
        .finish(map_config(app, |()| AppConfig::default()))
}
