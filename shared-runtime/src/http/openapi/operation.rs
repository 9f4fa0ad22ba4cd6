//! One operation of the document: its parameters, its body, and every answer that it may give.

use serde_json::Value;
use shared_model::Envelope;
use utoipa::openapi::{
    Content, ContentBuilder, KnownFormat, ObjectBuilder, Ref, RefOr, Required as Presence, ResponseBuilder, Schema,
    SchemaFormat, Type,
    path::{OperationBuilder, ParameterBuilder, ParameterIn},
    request_body::RequestBodyBuilder,
    schema::SchemaType,
    security::SecurityRequirement,
};

use super::{OperationDoc, complete, examples};
use crate::{
    base::surface::Surface,
    http::{arguments::QueryDoc, routes::Entry},
};

pub(super) fn operation(surface: &Surface, entry: &Entry) -> utoipa::openapi::path::Operation {
    let doc = &entry.doc;
    let mut operation = OperationBuilder::new().operation_id(Some(doc.id)).summary(Some(doc.says)).tag(surface.name);
    let names = doc.path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    for (name, schema) in names.zip(&doc.in_path) {
        operation = operation.parameter(parameter(name, ParameterIn::Path, true, "", schema.clone()));
    }
    for QueryDoc { name, required, says, schema } in &doc.query {
        operation = operation.parameter(parameter(name, ParameterIn::Query, *required, says, schema.clone()));
    }
    for (name, required, says) in &doc.headers {
        operation =
            operation.parameter(parameter(name, ParameterIn::Header, *required, says, complete::request_header(name)));
    }
    if let Some((schema, required)) = &doc.body {
        let presence = if *required { Presence::True } else { Presence::False };
        let content = ContentBuilder::new().schema(Some(schema.clone())).build();
        operation = operation.request_body(Some(
            RequestBodyBuilder::new().content("application/json", content).required(Some(presence)).build(),
        ));
    }
    if let Some(required) = doc.permission() {
        operation = operation.security(SecurityRequirement::new("bearer", [required.scope]));
    }
    let mut success = ResponseBuilder::new().description("Success.");
    if let Some(schema) = &doc.answer {
        let content = ContentBuilder::new().schema(Some(wrapped(surface, doc, schema))).build();
        success = success.content("application/json", content);
    }
    if doc.is_binary {
        success = success.content("application/octet-stream", bytes_content());
    }
    let success = success.build();
    if doc.accepts {
        let mut accepted = success.clone();
        accepted.description = "Accepted; it goes on.".to_owned();
        operation = operation.response("202", accepted);
    }
    operation = operation.response("200", success);
    if doc.partial {
        let partial = ResponseBuilder::new().description("The range that was asked for.");
        let partial = partial.content("application/octet-stream", bytes_content());
        operation = operation.response("206", partial.build());
    }
    if doc.not_modified {
        operation = operation.response("304", ResponseBuilder::new().description("You have it already.").build());
    }
    let mut codes = doc.codes.clone();
    codes.sort_by_key(|code| (code.status, code.name));
    for group in codes.chunk_by(|a, b| a.status == b.status) {
        let names: Vec<_> = group.iter().map(|code| format!("`{}`", code.name)).collect();
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
        let response = ResponseBuilder::new().description(names.join(", ")).content("application/json", content);
        operation = operation.response(group[0].status.to_string(), response.build());
    }
    operation.build()
}

pub(super) fn wrapped(surface: &Surface, doc: &OperationDoc, payload: &RefOr<Schema>) -> RefOr<Schema> {
    if surface.envelope == Envelope::TopLevel {
        return payload.clone();
    }
    let mut meta = ObjectBuilder::new().property("request_id", complete::request_id()).required("request_id");
    if doc.query.iter().any(|parameter| parameter.name == "cursor") {
        meta = meta.property(
            "next_cursor",
            ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Null])).examples([Value::Null]),
        );
    }
    if doc.takes_key() {
        meta = meta.property("replayed", boolean_schema());
    }
    ObjectBuilder::new()
        .property("data", payload.clone())
        .required("data")
        .property("meta", meta)
        .required("meta")
        .into()
}

pub(super) fn bytes_content() -> Content {
    let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
    let schema = ObjectBuilder::new().schema_type(Type::String).format(Some(format));
    ContentBuilder::new().schema(Some(RefOr::from(schema))).build()
}

pub(super) fn boolean_schema() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::Boolean).into()
}

pub(super) fn text_schema() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).into()
}

pub(super) fn parameter(
    name: &str,
    place: ParameterIn,
    required: bool,
    says: &str,
    schema: RefOr<Schema>,
) -> utoipa::openapi::path::Parameter {
    let presence = if required { Presence::True } else { Presence::False };
    let example = serde_json::to_value(&schema).ok().and_then(|schema| examples::of(&schema, &Value::Null).ok());
    ParameterBuilder::new()
        .example(example)
        .name(name)
        .parameter_in(place)
        .required(presence)
        .description((!says.is_empty()).then_some(says))
        .schema(Some(schema))
        .build()
}
