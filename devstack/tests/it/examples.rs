//! The OpenAPI documents show every operation at work: each body has an example, and each example fits its schema.

use boon::{Compiler, Draft, Schemas};
use serde_json::{Value, json};
use shared_runtime::{http::openapi, service::Service};

use crate::services;

const DOCUMENT: &str = "document.json";

fn document(service: &Service) -> Value {
    openapi::inlined(&service.openapi())
}

/// Each operation of a document with its path and method.
fn placed(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let items = document["paths"].as_object().expect("there are paths").iter();
    items.flat_map(|(path, item)| {
        let operations = item.as_object().expect("an operation for each method").iter();
        operations.map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
    })
}

/// Each operation of a document with its name.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    placed(document).map(|(_, _, operation)| (operation["operationId"].to_string(), operation)).collect()
}

/// The schemas of a document, each compiled once.
struct Checker {
    compiler: Compiler,
    schemas: Schemas,
}

impl Checker {
    fn of(document: &Value) -> Self {
        let mut compiler = Compiler::new();
        compiler.set_default_draft(Draft::V2020_12);
        compiler.enable_format_assertions();
        compiler.add_resource(DOCUMENT, document.clone()).expect("a fresh name");
        Self { compiler, schemas: Schemas::new() }
    }

    /// Fails unless `example` is what the schema at this place of the document describes.
    fn check(&mut self, place: &[&str], example: &Value) {
        let tokens: Vec<String> = place.iter().map(|token| token.replace('~', "~0").replace('/', "~1")).collect();
        // `{` and `}` of a path cannot stand in a URL.
        let pointer = tokens.join("/").replace('{', "%7B").replace('}', "%7D");
        let compiled = self.compiler.compile(&format!("{DOCUMENT}#/{pointer}"), &mut self.schemas);
        let compiled = compiled.unwrap_or_else(|error| panic!("{pointer}: not a schema: {error}"));
        if let Err(error) = self.schemas.validate(example, compiled) {
            panic!("{pointer}: {example}\ndoes not fit: {error:#}");
        }
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
        let mut checker = Checker::of(&document);
        for (path, method, operation) in placed(&document) {
            let at = ["paths", path, method];
            let answers = operation["responses"].as_object().expect("there are answers");
            let bodies = answers.iter().map(|(status, answer)| ([&at[..], &["responses", status]].concat(), answer));
            let request = operation.get("requestBody").map(|body| ([&at[..], &["requestBody"]].concat(), body));
            for (place, body) in bodies.chain(request) {
                assert!(body.get("content").is_some() || place.ends_with(&["304"]), "{place:?}: no content");
                for (media_type, content) in body["content"].as_object().into_iter().flatten() {
                    let is_bytes = content["schema"]["format"] == "binary";
                    let examples = examples(content);
                    assert_ne!(is_bytes, !examples.is_empty(), "{place:?} {media_type}: examples, unless it is bytes");
                    let schema = [&place[..], &["content", media_type, "schema"]].concat();
                    examples.iter().for_each(|example| checker.check(&schema, example));
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
        let mut checker = Checker::of(&document);
        for (path, method, operation) in placed(&document) {
            for (index, parameter) in operation["parameters"].as_array().into_iter().flatten().enumerate() {
                let schema = &parameter["schema"];
                let name = format!("{method} {path} {}", parameter["name"]);
                // A cursor of a list is good for one caller and one hour: no example would be accepted.
                match parameter.get("example") {
                    Some(example) => {
                        let place = ["paths", path, method, "parameters", &index.to_string(), "schema"];
                        checker.check(&place, example);
                    }
                    None => assert!(parameter["name"] == "cursor" && schema["type"] == "string", "{name}: no example"),
                }
                let has_form = schema.get("pattern").is_some() || schema["type"] == "integer";
                assert!(parameter["in"] != "path" || has_form, "{name}: any text will do?");
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
