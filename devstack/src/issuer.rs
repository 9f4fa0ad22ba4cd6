//! The public side of a local authorization server: metadata (RFC 8414) and keys, fetched by the services as in
//! production. Beside it, the model endpoint of the sample room, and the receiver of the sample webhook.

use std::{fs, net::SocketAddr, path::Path};

use actix_web::{
    App, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::header::{CACHE_CONTROL, CONTENT_TYPE},
    rt::{self, task::JoinHandle},
    web,
};
use serde_json::{Value, json};

use crate::{
    error::{StackError, cannot},
    keys::KeptKey,
    model,
    ports::loopback,
    receiver::Receiver,
    tokens,
};

/// Where the metadata is (RFC 8414 §3).
pub const METADATA_PATH: &str = "/.well-known/oauth-authorization-server";
/// Where the keys are.
pub const JWKS_PATH: &str = "/jwks.json";

/// Where the authority of the services' certificates is, for whoever has not the file.
pub const AUTHORITY_PATH: &str = "/authority.pem";

/// The issuer's identifier (`iss`) when it listens on this port.
pub fn url(port: u16) -> String {
    format!("http://{}", loopback(port))
}

/// An issuer that runs.
pub struct Issuer {
    handle: ServerHandle,
    /// Ends when the server does.
    pub task: JoinHandle<std::io::Result<()>>,
}

impl Issuer {
    /// Starts it at an address, under its own URL.
    pub fn start(
        address: SocketAddr,
        url: &str,
        key: &KeptKey,
        authority: &Path,
        receiver: Receiver,
    ) -> Result<Self, StackError> {
        let authority = fs::read_to_string(authority).map_err(cannot("read the local authority"))?;
        let metadata = metadata(url).to_string();
        let keys = key.jwks().to_string();
        let server = HttpServer::new(move || {
            App::new()
                .route(METADATA_PATH, document(metadata.clone(), "application/json"))
                .route(JWKS_PATH, document(keys.clone(), "application/json"))
                .route(AUTHORITY_PATH, document(authority.clone(), "application/x-pem-file"))
                .configure(model::routes)
                .configure(receiver.clone().routes())
        })
        .workers(1)
        .shutdown_timeout(1)
        .disable_signals()
        .bind(address)
        .map_err(cannot(format!("listen on port {} (issuer)", address.port())))?
        .run();
        Ok(Self { handle: server.handle(), task: rt::spawn(server) })
    }

    /// Stops it.
    pub async fn stop(self) {
        self.handle.stop(true).await;
    }
}

fn metadata(issuer: &str) -> Value {
    let scopes: Vec<&str> = tokens::SCOPES.iter().flat_map(|(_, scopes)| scopes.split(' ')).collect();
    json!({
        "issuer": issuer,
        "jwks_uri": format!("{issuer}{JWKS_PATH}"),
        "scopes_supported": scopes,
        // Tokens are minted by the command line; there is nobody here to ask for one.
        "response_types_supported": [],
        "grant_types_supported": [],
    })
}

fn document(body: String, media_type: &'static str) -> actix_web::Route {
    web::get().to(move || {
        let body = body.clone();
        async move {
            HttpResponse::Ok()
                .insert_header((CONTENT_TYPE, media_type))
                .insert_header((CACHE_CONTROL, "max-age=300"))
                .body(body)
        }
    })
}
