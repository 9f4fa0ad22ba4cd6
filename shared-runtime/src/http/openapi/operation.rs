//! One operation of the document: parameters, body, and every possible answer.

use serde_json::Value;
use shared_model::Envelope;
use utoipa::openapi::{
    ContentBuilder, ObjectBuilder, OneOfBuilder, Ref, RefOr, Required as Presence, ResponseBuilder, Schema, Type,
    path::{OperationBuilder, ParameterBuilder, ParameterIn},
    request_body::RequestBodyBuilder,
    schema::SchemaType,
    security::SecurityRequirement,
};

use super::{description, examples};
use crate::http::contract::{BodyPolicy, Contract, HeaderParameter, NamedSchemas, QueryParameter};

pub(super) fn operation(contract: &Contract) -> utoipa::openapi::path::Operation {
    let mut operation = OperationBuilder::new()
        .operation_id(Some(contract.id))
        .summary(Some(contract.summary))
        .description(Some(description::operation(contract)))
        .tag(contract.surface.name);
    for (name, schema) in contract.path_names().zip(&contract.path_parameters) {
        operation = operation.parameter(parameter(name, ParameterIn::Path, true, "", schema.clone()));
    }
    for QueryParameter { name, required, description, schema } in &contract.query {
        operation = operation.parameter(parameter(name, ParameterIn::Query, *required, description, schema.clone()));
    }
    for HeaderParameter { name, required, description } in &contract.headers {
        let schema = examples::request_header(name, contract.method == "POST");
        operation = operation.parameter(parameter(name, ParameterIn::Header, *required, description, schema));
    }
    let (media_type, refusal) = match contract.body {
        BodyPolicy::Text => ("text/plain", ObjectBuilder::new().schema_type(Type::String).into()),
        _ => ("application/json", RefOr::Ref(Ref::from_schema_name("ErrorBody"))),
    };
    let body_type = match contract.body {
        BodyPolicy::Bytes { .. } => "application/octet-stream",
        _ => media_type,
    };
    if let Some(schema) = &contract.body_schema {
        let presence = if contract.body == BodyPolicy::Optional { Presence::False } else { Presence::True };
        let content = ContentBuilder::new().schema(Some(schema.clone())).build();
        operation = operation
            .request_body(Some(RequestBodyBuilder::new().content(body_type, content).required(Some(presence)).build()));
    }
    // An empty list means that no token is needed. Without the list it would be undefined.
    let security = contract.required().map(|required| SecurityRequirement::new("bearer", [required.scope]));
    operation = operation.securities(Some(security));
    let mut success = ResponseBuilder::new().description("Success.");
    if let Some(schema) = &contract.success.payload {
        let content = ContentBuilder::new().schema(Some(wrapped(contract, schema))).build();
        success = success.content("application/json", content);
    }
    for (media_type, schema) in &contract.success.plain {
        success = success.content(*media_type, ContentBuilder::new().schema(Some(schema.clone())).build());
    }
    let success = success.build();
    if contract.success.may_be_accepted {
        let mut accepted = success.clone();
        accepted.description = "Accepted. The work continues after the answer.".to_owned();
        operation = operation.response("202", accepted);
    }
    operation = operation.response("200", success.clone());
    if contract.success.may_be_partial {
        let mut partial = success.clone();
        partial.description = "The requested range.".to_owned();
        operation = operation.response("206", partial);
    }
    if contract.success.may_be_not_modified {
        operation = operation.response(
            "304",
            ResponseBuilder::new().description("Not modified: you already have this version.").build(),
        );
    }
    let mut codes = contract.codes.clone();
    codes.sort_by_key(|code| (code.status, code.name));
    for group in codes.chunk_by(|a, b| a.status == b.status) {
        let names: Vec<_> = group.iter().map(|code| format!("`{}`", code.name)).collect();
        let schema = match (contract.speaks_json_rpc && group[0].status == 400, contract.success.plain.first()) {
            (true, Some((_, answer))) => OneOfBuilder::new().item(refusal.clone()).item(answer.clone()).into(),
            _ => refusal.clone(),
        };
        let content = ContentBuilder::new().schema(Some(schema)).build();
        let response = ResponseBuilder::new().description(names.join(", ")).content(media_type, content);
        operation = operation.response(group[0].status.to_string(), response.build());
    }
    operation.build()
}

/// The component schemas of an operation.
pub(super) fn schemas(contract: &Contract) -> NamedSchemas {
    let mut schemas: NamedSchemas = contract.schemas.iter().flat_map(|named| named()).collect();
    // In this envelope the payload's members are next to the envelope's own, so they are in one schema.
    if let (Envelope::TopLevel, Some(RefOr::Ref(payload))) = (contract.surface.envelope, &contract.success.payload) {
        let name = payload.ref_location.rsplit('/').next().unwrap_or_default();
        for (own, schema) in &mut schemas {
            if let RefOr::T(Schema::Object(object)) = schema
                && own == name
            {
                object.properties.insert("request_id".to_owned(), examples::request_id());
                if contract.takes_key {
                    object.properties.insert("replayed".to_owned(), boolean_schema());
                }
            }
        }
    }
    schemas
}

fn wrapped(contract: &Contract, payload: &RefOr<Schema>) -> RefOr<Schema> {
    if contract.surface.envelope == Envelope::TopLevel {
        return payload.clone();
    }
    let mut meta = ObjectBuilder::new().property("request_id", examples::request_id()).required("request_id");
    if contract.is_list {
        meta = meta.property(
            "next_cursor",
            ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Null])).examples([Value::Null]),
        );
    }
    if contract.takes_key {
        meta = meta.property("replayed", boolean_schema());
    }
    ObjectBuilder::new()
        .property("data", payload.clone())
        .required("data")
        .property("meta", meta)
        .required("meta")
        .into()
}

fn boolean_schema() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::Boolean).into()
}

fn parameter(
    name: &str,
    place: ParameterIn,
    required: bool,
    description: &str,
    schema: RefOr<Schema>,
) -> utoipa::openapi::path::Parameter {
    let presence = if required { Presence::True } else { Presence::False };
    let example =
        serde_json::to_value(&schema).ok().and_then(|schema| examples::for_schema(&schema, &Value::Null).ok());
    ParameterBuilder::new()
        .example(example)
        .name(name)
        .parameter_in(place)
        .required(presence)
        .description((!description.is_empty()).then_some(description))
        .schema(Some(schema))
        .build()
}
