//! docs/ tells the truth of all four services: every code, every operation, every limit.

use std::collections::BTreeSet;

use serde_json::Value;
use shared_runtime::service::Service;

const API: &str = include_str!("../../../docs/api.md");
const OPERATIONS: &str = include_str!("../../../docs/operations.md");

pub(crate) fn services() -> [Service; 4] {
    [locker_svc::service(), cloud_svc::service(), orders_svc::service(), trust_svc::service()]
}

/// Every next action of the examples of a service's OpenAPI document, as code and type.
fn next_actions(service: &Service) -> Vec<(String, String)> {
    let document: Value = serde_json::from_str(&service.openapi()).expect("the document is JSON");
    let members = |value: &Value| value.as_object().into_iter().flatten().map(|(_, it)| it.clone()).collect::<Vec<_>>();
    let operations = members(&document["paths"]).into_iter().flat_map(|item| members(&item));
    let answers = operations.flat_map(|operation| members(&operation["responses"]));
    let examples = answers.flat_map(|answer| members(&answer["content"]["application/json"]["examples"]));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let named = |error: &Value| (text(&error["code"]), text(&error["next_action"]["type"]));
    examples.map(|example| named(&example["value"]["error"])).collect()
}

#[test]
fn every_code_is_in_the_table_with_its_status_next_actions_and_sentence() {
    let shown: BTreeSet<_> = services().iter().flat_map(next_actions).collect();
    for service in services() {
        for code in service.surface.all_codes() {
            let types = shown.iter().filter(|(name, _)| name == code.name).map(|(_, kind)| kind.as_str());
            let types: BTreeSet<_> = types.chain(code.next.types().iter().copied()).collect();
            let types: Vec<_> = types.iter().map(|kind| format!("`{kind}`")).collect();
            let row = format!("| `{}` | {} | {} | {} |", code.name, code.status, types.join(", "), code.sentence);
            assert!(API.contains(&row), "docs/api.md lacks the row\n{row}");
        }
    }
}

#[test]
fn every_type_of_next_action_is_in_the_table() {
    let document: Value = serde_json::from_str(&services()[0].openapi()).expect("the document is JSON");
    let types = &document["components"]["schemas"]["NextAction"]["discriminator"]["mapping"];
    for name in types.as_object().expect("a schema for each").keys() {
        let row = format!("| `{name}` |");
        assert!(API.contains(&row), "docs/api.md lacks a row that begins with\n{row}");
    }
}

#[test]
fn every_operation_is_listed_with_its_scope_and_bucket() {
    for service in services() {
        for operation in service.routes().contracts() {
            let start = format!("| `{} {}", operation.method, operation.path);
            let row = API.lines().find(|line| {
                line.strip_prefix(&start).is_some_and(|rest| rest.starts_with('`') || rest.starts_with('?'))
            });
            let row = row.unwrap_or_else(|| panic!("docs/api.md lacks a row that begins with\n{start}"));
            let scope = operation.required().map_or("public", |required| required.scope);
            assert!(row.contains(scope), "{row}\ndoes not tell the scope {scope}");
            assert!(row.contains(&format!("`{}`", operation.limit.name)), "{row}\ntells another bucket");
        }
    }
}

#[test]
fn every_limit_is_listed_with_its_number() {
    for service in services() {
        for limit in service.routes().limits() {
            let row = format!("| `{}` | {} |", limit.name, limit.per_minute);
            assert!(OPERATIONS.contains(&row), "docs/operations.md lacks the limit\n{row}");
        }
    }
}
