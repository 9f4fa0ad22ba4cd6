//! The OpenAPI document, made from the contracts of a service's operations.

mod complete;
mod components;
mod description;
mod examples;
mod inline;
mod operation;
mod published;
mod shared;

use serde::Serialize as _;
use serde_json::ser::PrettyFormatter;
use shared_model::ErrorBody;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ComponentsBuilder, HttpMethod, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, PathItem, PathsBuilder,
        Server, ServerBuilder, ServerVariableBuilder,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
        tag::TagBuilder,
    },
};

use super::contract::{Contract, NamedSchemas};
use crate::base::surface::Surface;

pub use inline::{inline, inlined};
pub use published::OpenApiText;

/// The document as it is checked in: one value a line, indented by one space, with a line feed at the end.
pub fn text(surface: &Surface, contracts: &[&Contract]) -> String {
    let mut document = outline(surface, contracts);
    complete::complete(&mut document, contracts);
    // Last: examples and headers decide which refusals are the same.
    shared::share_repeated(&mut document);
    // Two spaces would be a fifth of the file.
    let mut text = Vec::new();
    let mut lines = serde_json::Serializer::with_formatter(&mut text, PrettyFormatter::with_indent(b" "));
    document.serialize(&mut lines).expect("a document of ours is JSON");
    text.push(b'\n');
    String::from_utf8(text).expect("JSON is UTF-8")
}

pub fn schemas(contract: &Contract) -> NamedSchemas {
    operation::schemas(contract)
}

/// The places without an example: operation, request or status, and the path in the schema.
pub fn lacking_examples(surface: &Surface, contracts: &[&Contract]) -> Vec<String> {
    complete::complete(&mut outline(surface, contracts), contracts)
}

fn outline(surface: &Surface, contracts: &[&Contract]) -> OpenApi {
    let mut paths = PathsBuilder::new();
    let mut schemas = vec![("ErrorBody".to_owned(), ErrorBody::schema())];
    ErrorBody::schemas(&mut schemas);
    let (commands, others): (Vec<_>, Vec<_>) = contracts.iter().partition(|contract| contract.takes_key);
    // Commands last: where a read has the same answer, only theirs can be `replayed`, and the last schema counts.
    schemas.extend(others.into_iter().chain(commands).flat_map(operation::schemas));
    for contract in contracts {
        let method = match contract.method.as_str() {
            "POST" => HttpMethod::Post,
            "PUT" => HttpMethod::Put,
            _ => HttpMethod::Get,
        };
        paths = paths.path(contract.path, PathItem::new(method, operation::operation(contract)));
    }
    let paths = paths.build();
    let mut components = ComponentsBuilder::new().schemas_from_iter(components::reachable_schemas(&paths, schemas));
    if contracts.iter().any(|contract| contract.required().is_some()) {
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").description(Some(
            "A JWT access token (RFC 9068) for this service. /.well-known/oauth-protected-resource names the issuer \
             of tokens.",
        ));
        // Only with an operation that uses it: linters warn about unused components.
        components = components.security_scheme("bearer", SecurityScheme::Http(bearer.build()));
    }
    let license = LicenseBuilder::new().name("MIT or Apache-2.0").identifier(Some(env!("CARGO_PKG_LICENSE")));
    let info = InfoBuilder::new()
        .title(surface.title)
        .version(surface.version)
        .description(Some(description::service(surface)))
        .license(Some(license.build()));
    OpenApiBuilder::new()
        .info(info)
        .servers(Some([server(surface)]))
        .tags(Some([TagBuilder::new().name(surface.name).description(Some(surface.title)).build()]))
        .paths(paths)
        .components(Some(components.build()))
        .build()
}

/// One server with a variable: the URL depends on the installation, and the document does not.
fn server(surface: &Surface) -> Server {
    let base_url =
        ServerVariableBuilder::new().default_value(format!("http://127.0.0.1:{}", surface.port)).description(Some(
            "The base URL of the service, from its setting BASE_URL. The default is its local \
             address.",
        ));
    ServerBuilder::new().url("{base_url}").description(Some("The service.")).parameter("base_url", base_url).build()
}
