//! The public documents of every service: OpenAPI, and protected-resource metadata (RFC 9728).

use serde::Serialize;
use shared_model::Error;

use crate::{
    context::Context,
    http::{
        argument::{AdmittedRequest, Argument},
        arguments::{State, caller::Anyone},
        asked_resource,
        contract::Contract,
        reply::Plain,
        routes::Routes,
    },
    identity::challenge,
    state::rate_limit::LimitClass,
};

/// Requests for these documents, per source address.
pub const LIMIT: LimitClass = LimitClass { name: "metadata", per_minute: 120 };

/// Five minutes: these change with a release at most.
const CACHEABLE: &str = "public, max-age=300";

/// The OpenAPI document as text, and the scopes that it names.
pub struct OpenApiText {
    text: String,
    scopes: Vec<&'static str>,
}

impl OpenApiText {
    /// The document of these routes.
    pub fn new(text: String, routes: &Routes) -> Self {
        let mut scopes: Vec<_> = routes.contracts().filter_map(|contract| Some(contract.required()?.scope)).collect();
        scopes.sort_unstable();
        scopes.dedup();
        Self { text, scopes }
    }
}

/// Declares them.
pub fn declare(routes: &mut Routes) {
    routes.get("/openapi.json", "read_openapi", &LIMIT, read_openapi).summary("This document.");
    routes
        .get(challenge::METADATA_PATH, "read_protected_resource", &LIMIT, read_protected_resource)
        .summary("Where tokens for this resource come from (RFC 9728).");
}

async fn read_openapi(_: Anyone, State(document): State<OpenApiText>) -> Result<Plain, Error> {
    Ok(Plain::new("application/json", document.text.clone()).header("cache-control", CACHEABLE))
}

/// Protected-resource metadata (RFC 9728 §2).
#[derive(Serialize)]
struct ProtectedResource<'a> {
    resource: &'a str,
    resource_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    authorization_servers: Option<[&'a str; 1]>,
    scopes_supported: &'a [&'static str],
    bearer_methods_supported: [&'a str; 1],
}

/// The name of the service that the request asked by.
struct AskedResource(String);

impl Argument for AskedResource {
    fn describe(_: &mut Contract) {}

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        Ok(Self(asked_resource::challenge(request.context, request.http).resource().to_owned()))
    }
}

async fn read_protected_resource(
    _: Anyone,
    context: Context,
    AskedResource(resource): AskedResource,
    State(document): State<OpenApiText>,
) -> Result<Plain, Error> {
    let metadata = ProtectedResource {
        resource: &resource,
        resource_name: context.surface.title,
        authorization_servers: context.settings.issuer.as_ref().map(|issuer| [issuer.issuer.as_str()]),
        scopes_supported: &document.scopes,
        bearer_methods_supported: ["header"],
    };
    Ok(Plain::new("application/json", serde_json::to_vec(&metadata)?).header("cache-control", CACHEABLE))
}
