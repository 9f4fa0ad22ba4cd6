//! docs/ tells the truth of all four services: every code, every operation, every limit.

use shared_runtime::service::Service;

const API: &str = include_str!("../../../docs/api.md");
const OPERATIONS: &str = include_str!("../../../docs/operations.md");

pub(crate) fn services() -> [Service; 4] {
    [locker_svc::service(), cloud_svc::service(), orders_svc::service(), trust_svc::service()]
}

#[test]
fn every_code_is_in_the_table_with_its_status_and_sentence() {
    for service in services() {
        for code in service.surface.all_codes() {
            let row = format!("| `{}` | {} | {} |", code.name, code.status, code.sentence);
            assert!(API.contains(&row), "docs/api.md lacks the row\n{row}");
        }
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
