//! The OpenAPI document, made from the contracts of a service's operations.

mod complete;
mod examples;
mod operation;

use shared_model::ErrorBody;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ComponentsBuilder, HttpMethod, InfoBuilder, OpenApi, OpenApiBuilder, PathItem, PathsBuilder,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use super::contract::Contract;
use crate::base::surface::Surface;

/// The document as it is checked in and served: two spaces of indentation, a line feed at the end.
pub fn text(surface: &Surface, contracts: &[&Contract]) -> String {
    let mut document = outline(surface, contracts);
    complete::complete(&mut document, contracts);
    let mut text = document.to_pretty_json().expect("a document of ours is JSON");
    text.push('\n');
    text
}

/// The places of the document that lack an example: operation, request or status, and the way through the schema.
pub fn lacking_examples(surface: &Surface, contracts: &[&Contract]) -> Vec<String> {
    complete::complete(&mut outline(surface, contracts), contracts)
}

fn outline(surface: &Surface, contracts: &[&Contract]) -> OpenApi {
    let mut paths = PathsBuilder::new();
    let mut components = ComponentsBuilder::new().schema("ErrorBody", ErrorBody::schema()).security_scheme(
        "bearer",
        SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build()),
    );
    let mut schemas = Vec::new();
    ErrorBody::schemas(&mut schemas);
    for contract in contracts {
        schemas.extend(operation::schemas(contract));
        let method = if contract.method == "POST" { HttpMethod::Post } else { HttpMethod::Get };
        paths = paths.path(contract.path, PathItem::new(method, operation::operation(contract)));
    }
    schemas.sort_by(|a, b| a.0.cmp(&b.0));
    schemas.dedup_by(|a, b| a.0 == b.0);
    components = components.schemas_from_iter(schemas);
    OpenApiBuilder::new()
        .info(InfoBuilder::new().title(surface.title).version(surface.version))
        .paths(paths)
        .components(Some(components.build()))
        .build()
}
