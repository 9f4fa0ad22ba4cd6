//! Moves the answers and parameters that several operations have to `components`, where each is written once.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::{OpenApi, Ref, RefOr, path::Operation};

/// Replaces each repeated answer and parameter with a reference.
pub(super) fn share_repeated(document: &mut OpenApi) {
    let mut responses = Occurrences::default();
    let mut parameters = Occurrences::default();
    for operation in operations(document) {
        for (status, response) in &operation.responses.responses {
            responses.count(response, |json| response_name(status, json), response_qualifier);
        }
        for parameter in operation.parameters.iter().flatten() {
            parameters.count(parameter, |json| text(&json["name"]), |json| text(&json["in"]));
        }
    }
    let (responses, parameters) = (responses.names(), parameters.names());
    let mut components = document.components.take().unwrap_or_default();
    for operation in operations(document) {
        for response in operation.responses.responses.values_mut() {
            share(response, "responses", &responses, &mut components.responses);
        }
        for parameter in operation.parameters.iter_mut().flatten() {
            share(parameter, "parameters", &parameters, &mut components.parameters);
        }
    }
    document.components = Some(components);
}

fn operations(document: &mut OpenApi) -> impl Iterator<Item = &mut Operation> {
    let items = document.paths.paths.values_mut();
    items.flat_map(|item| [item.get.as_mut(), item.put.as_mut(), item.post.as_mut()].into_iter().flatten())
}

/// `200.PlanAnswer`: the status and the schema of a success. `409.plan_expired.plan_stale`: the status and its codes.
fn response_name(status: &str, response: &Value) -> String {
    if status.starts_with('2') {
        let schema = text(&response["content"]["application/json"]["schema"]["$ref"]);
        return format!("{status}.{}", schema.rsplit('/').next().unwrap_or_default());
    }
    let codes = text(&response["description"]);
    let codes = codes.split('`').filter(|part| !part.is_empty() && part.chars().all(is_name_character));
    [status].into_iter().chain(codes).collect::<Vec<_>>().join(".")
}

/// What tells two responses with the same codes apart: the scopes, places or types of their next actions.
fn response_qualifier(response: &Value) -> String {
    let content = &response["content"]["application/json"];
    let Some(examples) = content["examples"].as_object() else {
        // A success has one example.
        return if content.is_null() { "text".to_owned() } else { String::new() };
    };
    let actions = examples.values().map(|example| &example["value"]["error"]["next_action"]);
    let words = actions.flat_map(|action| {
        let places = action["problems"].as_array().into_iter().flatten().map(|problem| &problem["at"]);
        let words = [&action["scope"]].into_iter().chain(places).map(text);
        let words = words.map(|word| word.chars().filter(|c| is_name_character(*c)).collect::<String>());
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        if words.is_empty() { vec![text(&action["type"])] } else { words }
    });
    words.collect::<Vec<_>>().join(".")
}

/// A component's name may have these (OpenAPI 3.1 §4.8.7).
fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Parts of a document by their JSON text.
#[derive(Default)]
struct Occurrences(BTreeMap<String, Occurrence>);

struct Occurrence {
    count: usize,
    /// In the order of the document, so that names do not depend on the text.
    first: usize,
    name: String,
    qualifier: String,
}

impl Occurrences {
    fn count(
        &mut self,
        part: &impl Serialize,
        name: impl FnOnce(&Value) -> String,
        qualifier: impl FnOnce(&Value) -> String,
    ) {
        let first = self.0.len();
        let json = serde_json::to_value(part).expect("a part of the document is JSON");
        let new = |json: &Value| Occurrence { count: 0, first, name: name(json), qualifier: qualifier(json) };
        self.0.entry(json.to_string()).or_insert_with(|| new(&json)).count += 1;
    }

    /// A name for each part that occurs more than once.
    fn names(self) -> BTreeMap<String, String> {
        let mut repeated: Vec<_> = self.0.into_iter().filter(|(_, occurrence)| occurrence.count > 1).collect();
        repeated.sort_by_key(|(_, occurrence)| occurrence.first);
        let mut uses: BTreeMap<String, usize> = BTreeMap::new();
        for (_, Occurrence { name, .. }) in &repeated {
            *uses.entry(name.clone()).or_default() += 1;
        }
        let mut names = BTreeMap::new();
        let mut taken: BTreeMap<String, usize> = BTreeMap::new();
        for (json, Occurrence { name, qualifier, .. }) in repeated {
            let is_ambiguous = uses[&name] > 1 && !qualifier.is_empty();
            let name = if is_ambiguous { format!("{name}-{qualifier}") } else { name };
            let number = taken.entry(name.clone()).or_default();
            *number += 1;
            names.insert(json, if *number == 1 { name } else { format!("{name}-{number}") });
        }
        names
    }
}

fn share<T: Clone + Serialize>(
    part: &mut RefOr<T>,
    kind: &str,
    names: &BTreeMap<String, String>,
    components: &mut BTreeMap<String, RefOr<T>>,
) {
    let json = serde_json::to_value(&*part).expect("a part of the document is JSON").to_string();
    if let Some(name) = names.get(&json) {
        let reference = Ref::new(format!("#/components/{kind}/{name}"));
        components.insert(name.clone(), std::mem::replace(part, RefOr::Ref(reference)));
    }
}
