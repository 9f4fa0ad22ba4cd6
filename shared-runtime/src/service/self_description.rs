//! Public documents of every service: OpenAPI, and protected-resource metadata (RFC 9728).

use serde::Serialize;
use serde_json::Value;
use shared_model::{Error, Etag};
use utoipa::ToSchema;

use crate::{
    context::Context,
    http::{
        argument::{AdmittedRequest, Argument},
        arguments::{IfNoneMatch, State, caller::Anyone},
        compression::Coding,
        contract::Contract,
        openapi::OpenApiText,
        reply::{MediaType, Plain},
        resource_for_host,
        routes::Routes,
    },
    identity::challenge,
    state::rate_limit::LimitClass,
};

/// Per source address.
pub const LIMIT: LimitClass = LimitClass { name: "metadata", per_minute: 120 };

// They change only with a release.
const CACHEABLE: &str = "public, max-age=300";

pub fn declare(routes: &mut Routes) {
    routes
        .get("/openapi.json", "read_openapi", &LIMIT, read_openapi)
        .summary("This document.")
        .description("OpenAPI 3.1, the same for every installation. Caches may store it for five minutes.");
    routes
        .get(challenge::METADATA_PATH, "read_protected_resource", &LIMIT, read_protected_resource)
        .summary("Where to get a token (RFC 9728).")
        .description(
            "`resource` is the token's `aud`, and `authorization_servers` issue tokens. The `WWW-Authenticate` header of a \
             401 contains the URL of this document.",
        );
}

/// Declares the metadata of the MCP endpoint (RFC 9728 §3.1).
pub fn declare_of_mcp(routes: &mut Routes) {
    routes
        .get(challenge::MCP_METADATA_PATH, "read_mcp_protected_resource", &LIMIT, read_protected_resource)
        .summary("Where to get a token for the MCP endpoint (RFC 9728).")
        .description("`resource` is the URL of `/mcp`. Tokens for it and for the service are valid at both.");
}

/// An OpenAPI document.
#[derive(ToSchema)]
#[schema(example = json!({"openapi": "3.1.0", "info": {"title": "A service", "version": "v1"}, "paths": {}}))]
#[expect(dead_code, reason = "the document is text already; this is what OpenAPI says of it")]
struct OpenApiDocument {
    /// The version of OpenAPI.
    #[schema(pattern = "^3\\.1\\.[0-9]+$")]
    openapi: String,
    /// The title and description.
    #[schema(value_type = Object)]
    info: Value,
    /// The operations.
    #[schema(value_type = Object)]
    paths: Value,
}

impl MediaType for OpenApiDocument {
    const MEDIA_TYPE: &'static str = "application/json";
}

impl Argument for Coding {
    // Not in the document: whatever sends requests adds `Accept-Encoding` by itself.
    fn describe(_: &mut Contract) {}

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        Ok(Self::accepted(request.headers()))
    }
}

async fn read_openapi(
    _: Anyone,
    seen: IfNoneMatch,
    coding: Coding,
    State(document): State<OpenApiText>,
) -> Result<Plain<OpenApiDocument>, Error> {
    let etag = Etag::from_bytes(*document.hash());
    Ok(Plain::public(etag, coding, |etag| seen.has(etag), || document.bytes(coding)))
}

/// Protected-resource metadata (RFC 9728 §2).
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "resource": "https://api.example.com", "resource_name": "A service",
    "authorization_servers": ["https://id.example.com"],
    "scopes_supported": ["things.read"], "bearer_methods_supported": ["header"],
}))]
struct ProtectedResource {
    /// The `aud` of a token.
    resource: String,
    /// The service's name.
    resource_name: &'static str,
    /// The issuer of tokens. Absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(min_items = 1, max_items = 1)]
    authorization_servers: Option<[String; 1]>,
    /// The scopes that operations need.
    scopes_supported: Vec<&'static str>,
    /// How to send a token: in the header `Authorization`.
    #[schema(min_items = 1, max_items = 1)]
    bearer_methods_supported: [&'static str; 1],
}

impl MediaType for ProtectedResource {
    const MEDIA_TYPE: &'static str = "application/json";
}

struct ResourceForHost(String);

impl Argument for ResourceForHost {
    fn describe(_: &mut Contract) {}

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        Ok(Self(resource_for_host::challenge(request.context, request.http).resource().to_owned()))
    }
}

async fn read_protected_resource(
    _: Anyone,
    context: Context,
    ResourceForHost(resource): ResourceForHost,
    State(document): State<OpenApiText>,
) -> Result<Plain<ProtectedResource>, Error> {
    let metadata = ProtectedResource {
        resource,
        resource_name: context.surface.title,
        authorization_servers: context.settings.issuer.as_ref().map(|issuer| [issuer.issuer.clone()]),
        scopes_supported: document.scopes().to_vec(),
        bearer_methods_supported: ["header"],
    };
    Ok(Plain::new(serde_json::to_vec(&metadata)?).header("cache-control", CACHEABLE))
}
