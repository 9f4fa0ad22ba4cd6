//! The OpenAPI documents show every operation at work: each body has an example, and each example fits its schema.

use boon::{Compiler, Draft, Schemas};
use serde_json::{Value, json};
use shared_runtime::{http::openapi, service::Service};

use crate::services;

fn document(service: &Service) -> Value {
    openapi::inlined(&service.openapi())
}

/// Every operation of a document with its name.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let items = document["paths"].as_object().expect("there are paths").values();
    let operations = items.flat_map(|item| item.as_object().expect("an operation for each method").values());
    operations.map(|operation| (operation["operationId"].to_string(), operation)).collect()
}

/// Insists that `example` is what `schema` describes.
fn fits(document: &Value, place: &str, schema: &Value, example: &Value) {
    let root = json!({"allOf": [schema], "components": document["components"]});
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.set_default_draft(Draft::V2020_12);
    compiler.enable_format_assertions();
    compiler.add_resource("document.json", root).expect("a fresh name");
    let compiled = compiler.compile("document.json", &mut schemas);
    let compiled = compiled.unwrap_or_else(|error| panic!("{place}: not a schema: {error}"));
    if let Err(error) = schemas.validate(example, compiled) {
        panic!("{place}: {example}\ndoes not fit: {error:#}");
    }
}

/// Every example of a body: the one, or each of several.
fn examples(content: &Value) -> Vec<&Value> {
    match content.get("example") {
        Some(example) => vec![example],
        None => content["examples"].as_object().into_iter().flatten().map(|(_, example)| &example["value"]).collect(),
    }
}

#[test]
fn every_body_has_an_example_that_fits_its_schema() {
    let lacking = services().map(|service| {
        openapi::lacking_examples(service.surface, &service.routes().contracts().collect::<Vec<_>>()).join("\n")
    });
    let lacking: Vec<_> = lacking.into_iter().filter(|places| !places.is_empty()).collect();
    assert!(lacking.is_empty(), "say #[schema(example = …)] at\n{}", lacking.join("\n"));
    for service in services() {
        let document = document(&service);
        for (id, operation) in operations(&document) {
            let answers = operation["responses"].as_object().expect("there are answers");
            let bodies = answers.iter().map(|(status, answer)| (status.as_str(), answer));
            for (place, body) in bodies.chain(operation.get("requestBody").map(|body| ("request", body))) {
                let place = format!("{} {id} {place}", service.surface.name);
                assert!(body.get("content").is_some() || place.ends_with("304"), "{place}: no content");
                for (media_type, content) in body["content"].as_object().into_iter().flatten() {
                    let is_bytes = content["schema"]["format"] == "binary";
                    assert_ne!(
                        is_bytes,
                        !examples(content).is_empty(),
                        "{place} {media_type}: examples, unless it is bytes"
                    );
                    examples(content).iter().for_each(|example| fits(&document, &place, &content["schema"], example));
                }
            }
        }
    }
}

#[test]
fn every_operation_is_described_and_says_whether_it_needs_a_token() {
    for service in services() {
        let (document, routes) = (document(&service), service.routes());
        for contract in routes.contracts() {
            let (id, method) = (contract.id, contract.method.as_str().to_ascii_lowercase());
            let operation = &document["paths"][contract.path][method];
            assert!(!contract.description.is_empty(), "{id}: say what its caller has to know, with .description(…)");
            let expected = contract.required().map_or(json!([]), |required| json!([{"bearer": [required.scope]}]));
            assert_eq!(operation["security"], expected, "{id}");
        }
        let has_tokens = routes.contracts().any(|contract| contract.required().is_some());
        assert_eq!(document["components"].get("securitySchemes").is_some(), has_tokens, "{}", service.surface.name);
    }
}

#[test]
fn generated_clients_get_a_name_for_each_variant_and_item() {
    for service in services() {
        let document = document(&service);
        for (name, schema) in document["components"]["schemas"].as_object().expect("there are schemas") {
            for variant in schema["oneOf"].as_array().into_iter().flatten() {
                let reference = variant["$ref"].as_str().unwrap_or_else(|| panic!("{name}: {variant}"));
                let variant = document.pointer(&reference[1..]).expect("a schema of this name");
                // Operations have `op`, some of whose words are of two kinds of content; forms of one thing have nothing.
                if variant["properties"]["op"].is_null() && variant["properties"]["type"].is_object() {
                    assert_eq!(schema["discriminator"]["propertyName"], "type", "{name}");
                }
            }
        }
        for (id, operation) in operations(&document) {
            let data = &operation["responses"]["200"]["content"]["application/json"]["schema"]["properties"]["data"];
            let item = data.get("items").unwrap_or(data);
            assert!(item.is_null() || item.get("$ref").is_some(), "{id}: {item}");
        }
    }
}

#[test]
fn every_code_of_a_refusal_has_a_body_of_its_own() {
    for service in services() {
        for (id, operation) in operations(&document(&service)) {
            for (status, answer) in operation["responses"].as_object().expect("there are answers") {
                let named =
                    answer["description"].as_str().unwrap_or_default().split(", ").filter(|name| name.starts_with('`'));
                for name in named.map(|name| name.trim_matches('`')) {
                    let error = &answer["content"]["application/json"]["examples"][name]["value"]["error"];
                    assert_eq!(error["code"], name, "{id} {status}");
                    let waits =
                        ["wait", "poll", "retry_same_key"].map(Value::from).contains(&error["next_action"]["type"]);
                    assert_eq!(error["retryable"], waits, "{id} {status} {name}");
                }
            }
        }
    }
}

#[test]
fn no_refusal_is_without_a_next_action() {
    for service in services() {
        let document = document(&service);
        let required = document["components"]["schemas"]["ErrorDetail"]["required"].as_array().expect("a list");
        assert!(required.contains(&json!("next_action")), "{}", service.surface.name);
        for (id, operation) in operations(&document) {
            let answers = operation["responses"].as_object().expect("there are answers");
            for (status, answer) in answers.iter().filter(|(status, _)| status.starts_with(['4', '5'])) {
                let content = &answer["content"]["application/json"];
                // Where JSON-RPC is spoken, its form is the other choice.
                let schema = content["schema"]["$ref"].as_str().or(content["schema"]["oneOf"][0]["$ref"].as_str());
                let schema = schema.expect("a schema");
                assert_eq!(schema, "#/components/schemas/ErrorBody", "{id} {status}");
                for example in examples(content) {
                    let action = &example["error"]["next_action"];
                    assert!(action["type"].is_string(), "{id} {status}: {example}");
                    let is_empty = action["problems"].as_array().is_some_and(Vec::is_empty);
                    assert!(!is_empty, "{id} {status}: nothing to correct: {example}");
                }
            }
        }
    }
}

#[test]
fn every_parameter_has_a_form_and_an_example_that_fits_it() {
    for service in services() {
        let document = document(&service);
        for (id, operation) in operations(&document) {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let (place, schema) = (format!("{id} {}", parameter["name"]), &parameter["schema"]);
                // A cursor of a list is good for one caller and one hour: no example would be accepted.
                match parameter.get("example") {
                    Some(example) => fits(&document, &place, schema, example),
                    None => assert!(parameter["name"] == "cursor" && schema["type"] == "string", "{place}: no example"),
                }
                let has_form = schema.get("pattern").is_some() || schema["type"] == "integer";
                assert!(parameter["in"] != "path" || has_form, "{place}: any text will do?");
            }
        }
    }
}

#[test]
fn every_success_of_a_bucket_tells_where_the_bucket_stands() {
    for service in services() {
        for (id, operation) in operations(&document(&service)) {
            for (status, answer) in operation["responses"].as_object().expect("there are answers") {
                let headers = answer["headers"].as_object().unwrap_or_else(|| panic!("{id} {status}: no headers"));
                let is_charged =
                    operation["security"] != json!([]) && status.starts_with(['2', '3']) || status == "429";
                for name in ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] {
                    assert_eq!(headers.contains_key(name), is_charged, "{id} {status} {name}");
                }
                assert!(headers.contains_key("X-Request-Id"), "{id} {status}");
                assert!(status != "429" || headers.contains_key("Retry-After"), "{id}");
            }
        }
    }
}
