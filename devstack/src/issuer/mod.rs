//! A local authorization server: metadata (RFC 8414) and keys, fetched by the services as in production, and a sign-in by which
//! one of a few sample people comes to their pages. Beside it, the model endpoint of the sample room, and the receiver of the
//! sample webhook.

mod authorize;
mod clients;
mod codes;
mod fields;
mod page;
mod people;
mod request;
mod token;

use std::{fs, net::SocketAddr};

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
    places::{JWKS_PATH, Places},
    receiver::Receiver,
    tokens,
};

use clients::Clients;
use codes::Codes;
use token::Minter;

pub use clients::CLIENT_ID;

/// Where the metadata is (RFC 8414 §3).
pub const METADATA_PATH: &str = "/.well-known/oauth-authorization-server";

/// Where the authority of the services' certificates is, for whoever has not the file.
pub const AUTHORITY_PATH: &str = "/authority.pem";

/// An issuer that runs.
pub struct Issuer {
    handle: ServerHandle,
    /// Ends when the server does.
    pub task: JoinHandle<std::io::Result<()>>,
}

impl Issuer {
    /// Starts it at an address, for the services at these places.
    pub fn start(address: SocketAddr, places: &Places, key: &KeptKey, receiver: Receiver) -> Result<Self, StackError> {
        let authority =
            fs::read_to_string(&places.certificate_authority_file).map_err(cannot("read the local authority"))?;
        let metadata = metadata(&places.issuer).to_string();
        let keys = key.jwks().to_string();
        let clients = web::Data::new(Clients::of(&places.surfaces));
        let codes = web::Data::new(Codes::default());
        let minter = web::Data::new(Minter::new(&places.issuer, key.clone()));
        let server = HttpServer::new(move || {
            App::new()
                .app_data(clients.clone())
                .app_data(codes.clone())
                .app_data(minter.clone())
                .route(METADATA_PATH, document(metadata.clone(), "application/json"))
                .route(JWKS_PATH, document(keys.clone(), "application/json"))
                .route(AUTHORITY_PATH, document(authority.clone(), "application/x-pem-file"))
                .configure(authorize::routes)
                .configure(token::routes)
                .configure(page::routes)
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
        "authorization_endpoint": format!("{issuer}{}", request::PATH),
        "token_endpoint": format!("{issuer}{}", token::PATH),
        "token_endpoint_auth_methods_supported": ["none"],
        "scopes_supported": scopes,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
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
