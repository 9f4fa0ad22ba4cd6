//! The operations of one service, and its scopes.

use std::collections::BTreeMap;

use cloud_svc::edits::plans::rules::{RULES, Rule};
use shared_runtime::{http::contract::Contract, service::Service};

use super::markdown::{code, codes, table};
use crate::service_name::ServiceName;

const HEAD: [&str; 5] = ["operation", "request", "scope", "limit", "what it does"];

/// What the contracts do not say.
fn introduction(service: ServiceName) -> (&'static str, &'static str) {
    match service {
        ServiceName::Cloud => ("Cloud", "Every command answers 200."),
        ServiceName::Locker => ("Locker", "Without a current catalogue, Locker answers 503: assume no price."),
        ServiceName::Orders => ("Orders", "A token must belong to an owner: `grant_kind` is `owner`."),
        ServiceName::Trust => ("Trust", "Everything is public. Publishing needs a signature instead of a token."),
    }
}

pub fn title(service: ServiceName) -> &'static str {
    introduction(service).0
}

pub fn page(name: ServiceName, service: &Service) -> String {
    let routes = service.routes();
    let contracts: Vec<_> = routes.contracts().collect();
    let (title, introduction) = introduction(name);
    let included = included(&contracts);
    let mut text = format!(
        "# Operations of {title}\n\n{introduction}\n\nSee the [guides](../guides/README.md), the [error \
         codes](errors.md) and the [limits](limits.md).\n\n"
    );
    text.push_str(&table(&HEAD, contracts.iter().map(|contract| row(contract, &included))));
    let rows: Vec<_> = included.iter().filter(|(_, others)| !others.is_empty()).collect();
    if !rows.is_empty() {
        text.push_str("\n## Scopes\n\nA token with a scope in the second column has the first one too.\n\n");
        let rows = rows.into_iter().map(|(scope, others)| vec![code(scope), codes(others.iter().copied())]);
        text.push_str(&table(&["scope", "included in"], rows));
    }
    if name == ServiceName::Cloud {
        let row = |rule: &Rule| vec![rule.step.title().to_owned(), code(rule.scope), rule.who.sentence().to_owned()];
        text.push_str("\n## Who may decide about a plan\n\n");
        text.push_str(&table(&["step", "scope", "who"], RULES.iter().map(row)));
    }
    text
}

/// The scopes that include each scope. `/mcp` may accept more: its row lists them.
fn included(contracts: &[&Contract]) -> BTreeMap<&'static str, &'static [&'static str]> {
    let mut included = BTreeMap::new();
    for required in contracts.iter().filter_map(|contract| contract.required()) {
        included.entry(required.scope).or_insert(required.implied_by);
    }
    included
}

fn row(contract: &Contract, included: &BTreeMap<&str, &[&str]>) -> Vec<String> {
    let scope = match contract.required() {
        None => "public".to_owned(),
        Some(it) if included[it.scope] == it.implied_by => code(it.scope),
        Some(it) => format!("one of {}, {}", code(it.scope), codes(it.implied_by.iter().copied())),
    };
    let query: Vec<_> = contract.query.iter().map(|parameter| parameter.name).collect();
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    let limits = [contract.limit].into_iter().chain(contract.also_charged.iter().copied());
    vec![
        code(contract.id),
        code(&format!("{} {}{query}", contract.method, contract.path)),
        scope,
        codes(limits.map(|limit| limit.name)),
        contract.summary.to_owned(),
    ]
}
