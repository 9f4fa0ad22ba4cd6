//! The OpenAPI document, made from the contracts of a service's operations.

mod complete;
mod components;
mod description;
mod examples;
mod operation;
mod published;

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

pub use published::OpenApiText;

/// The document as it is checked in and served: two spaces of indentation, a line feed at the end.
pub fn text(surface: &Surface, contracts: &[&Contract]) -> String {
    let mut document = outline(surface, contracts);
    complete::complete(&mut document, contracts);
    let mut text = document.to_pretty_json().expect("a document of ours is JSON");
    text.push('\n');
    text
}

/// The named schemas that the shapes of an operation refer to.
pub fn schemas(contract: &Contract) -> NamedSchemas {
    operation::schemas(contract)
}

/// The places of the document that lack an example: operation, request or status, and the way through the schema.
pub fn lacking_examples(surface: &Surface, contracts: &[&Contract]) -> Vec<String> {
    complete::complete(&mut outline(surface, contracts), contracts)
}

fn outline(surface: &Surface, contracts: &[&Contract]) -> OpenApi {
    let mut paths = PathsBuilder::new();
    let mut schemas = vec![("ErrorBody".to_owned(), ErrorBody::schema())];
    ErrorBody::schemas(&mut schemas);
    for contract in contracts {
        schemas.extend(operation::schemas(contract));
        let method = match contract.method.as_str() {
            "POST" => HttpMethod::Post,
            "PUT" => HttpMethod::Put,
            _ => HttpMethod::Get,
        };
        paths = paths.path(contract.path, PathItem::new(method, operation::operation(contract)));
    }
    let paths = paths.build();
    let mut components = ComponentsBuilder::new().schemas_from_iter(components::of(&paths, schemas));
    if contracts.iter().any(|contract| contract.required().is_some()) {
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").description(Some(
            "A JWT access token (RFC 9068) for this service; /.well-known/oauth-protected-resource says who issues \
             them.",
        ));
        components = components.security_scheme("bearer", SecurityScheme::Http(bearer.build()));
    }
    let licence = LicenseBuilder::new().name("MIT or Apache-2.0").identifier(Some(env!("CARGO_PKG_LICENSE")));
    let info = InfoBuilder::new()
        .title(surface.title)
        .version(surface.version)
        .description(Some(description::of_service(surface)))
        .license(Some(licence.build()));
    OpenApiBuilder::new()
        .info(info)
        .servers(Some([server(surface)]))
        .tags(Some([TagBuilder::new().name(surface.name).description(Some(surface.title)).build()]))
        .paths(paths)
        .components(Some(components.build()))
        .build()
}

/// The one server: where it is depends on who runs it, and the document does not.
fn server(surface: &Surface) -> Server {
    let base_url =
        ServerVariableBuilder::new().default_value(format!("http://127.0.0.1:{}", surface.port)).description(Some(
            "The base URL of the service: its setting BASE_URL. The default is where it listens unless it is told \
             otherwise.",
        ));
    ServerBuilder::new()
        .url("{base_url}")
        .description(Some("The service, wherever it runs."))
        .parameter("base_url", base_url)
        .build()
}
