//! A local authorization server (RFC 8414) where sample people sign in. The same port serves the sample room's model
//! and the sample webhook's receiver.

mod authorize;
mod clients;
mod codes;
mod fields;
mod host;
mod own_clients;
mod page;
mod people;
mod request;
mod token;

use std::{fs, net::SocketAddr};

use actix_web::{
    App, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::header::{CACHE_CONTROL, CONTENT_TYPE},
    middleware,
    rt::{self, task::JoinHandle},
    web,
};
use serde_json::{Value, json};

use crate::{
    addresses::{Addresses, JWKS_PATH},
    error::{StackError, cannot},
    keys::KeyFile,
    model,
    receiver::Receiver,
    service_name::ServiceName,
};

use clients::Clients;
use codes::Codes;
use host::OwnHosts;
use token::Minter;

pub use clients::CLIENT_ID;

/// RFC 8414 §3.
pub const METADATA_PATH: &str = "/.well-known/oauth-authorization-server";

/// Serves the authority's certificate to clients that cannot read the data folder.
pub const AUTHORITY_PATH: &str = "/authority.pem";

pub struct Issuer {
    handle: ServerHandle,
    /// Ends when the server ends.
    pub task: JoinHandle<std::io::Result<()>>,
}

impl Issuer {
    /// Listens on `address` for the services at `addresses`.
    pub fn start(
        address: SocketAddr,
        addresses: &Addresses,
        key: &KeyFile,
        receiver: Receiver,
    ) -> Result<Self, StackError> {
        let authority =
            fs::read_to_string(&addresses.certificate_authority_file).map_err(cannot("read the local authority"))?;
        let metadata = metadata(&addresses.issuer, addresses.issuer_reaches_internet).to_string();
        let keys = key.jwks().to_string();
        let clients = web::Data::new(Clients::new(&addresses.services));
        let codes = web::Data::new(Codes::default());
        let hosts = web::Data::new(OwnHosts::new(addresses));
        let minter = web::Data::new(Minter::new(&addresses.issuer, key.clone()));
        let server = HttpServer::new(move || {
            App::new()
                .wrap(middleware::from_fn(host::check))
                .app_data(hosts.clone())
                .app_data(clients.clone())
                .app_data(codes.clone())
                .app_data(minter.clone())
                .route(METADATA_PATH, document(metadata.clone(), "application/json"))
                .route(JWKS_PATH, document(keys.clone(), "application/json"))
                .route(AUTHORITY_PATH, document(authority.clone(), "application/x-pem-file"))
                .configure(authorize::routes)
                .configure(token::routes)
                .configure(own_clients::routes)
                .configure(page::routes)
                .configure(model::routes)
                .configure(receiver.clone().routes())
        })
        // One worker is enough for a few people, and saves memory.
        .workers(1)
        // Requests take milliseconds; waiting longer only delays Ctrl-C.
        .shutdown_timeout(1)
        .disable_signals()
        .bind(address)
        .map_err(cannot(format!("listen on port {} (issuer)", address.port())))?
        .run();
        Ok(Self { handle: server.handle(), task: rt::spawn(server) })
    }

    pub async fn stop(self) {
        self.handle.stop(true).await;
    }
}

fn metadata(issuer: &str, reaches_internet: bool) -> Value {
    let scopes: Vec<&str> = ServiceName::ALL.into_iter().flat_map(|name| name.scopes().split_whitespace()).collect();
    json!({
        "issuer": issuer,
        "jwks_uri": format!("{issuer}{JWKS_PATH}"),
        "authorization_endpoint": format!("{issuer}{}", request::PATH),
        "token_endpoint": format!("{issuer}{}", token::PATH),
        "registration_endpoint": format!("{issuer}{}", own_clients::REGISTRATION_PATH),
        // Where a document cannot be fetched, clients must register.
        "client_id_metadata_document_supported": reaches_internet,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_register_where_their_metadata_cannot_be_fetched() {
        for reaches_internet in [true, false] {
            let metadata = metadata("http://127.0.0.1:8080", reaches_internet);
            assert_eq!(metadata["client_id_metadata_document_supported"], reaches_internet);
            assert_eq!(metadata["registration_endpoint"], "http://127.0.0.1:8080/register");
        }
    }
}
