//! Every error code with its status, next actions and services.

use std::collections::{BTreeMap, BTreeSet};

use shared_model::{Code, code};
use shared_runtime::service::Service;

use super::markdown::{self, codes, names, table};

const INTRODUCTION: &str = "\
# Error codes

Every refusal has one of these codes. Their meaning never changes. [Errors and
retries](../guides/errors-and-retries.md) says how to handle them.

";

pub fn page(services: &[Service]) -> String {
    // Two services may have a code with the same name and another sentence.
    let mut all: BTreeMap<(u16, &str, &str), BTreeSet<&str>> = BTreeMap::new();
    for service in services {
        for code in service.surface.all_codes() {
            all.entry(key(code)).or_default().extend(code.next.types());
        }
        for (code, step) in service.routes().contracts().flat_map(|contract| &contract.further_steps) {
            all.entry(key(code)).or_default().extend(step.types());
        }
    }
    let rows = all.into_iter().map(|((status, name, sentence), next)| {
        let is_of = |service: &Service| answers_with(service, (status, name, sentence));
        vec![markdown::code(name), status.to_string(), codes(next), names(services, is_of), sentence.to_owned()]
    });
    format!("{INTRODUCTION}{}", table(&["code", "status", "`next_action`", "services", "meaning"], rows))
}

fn key(code: &Code) -> (u16, &'static str, &'static str) {
    (code.status, code.name, code.sentence)
}

fn answers_with(service: &Service, wanted: (u16, &str, &str)) -> bool {
    let surface = service.surface;
    let is_wanted = |code: &&'static Code| key(code) == wanted;
    let of_unknown_urls = [&code::NOT_FOUND, surface.wrong_method];
    // Forms that another site submits.
    let of_forms = service.page_table().sign_people_in().then_some(&code::OWNERSHIP_DENIED);
    service.routes().contracts().any(|contract| contract.codes.iter().any(is_wanted))
        || of_unknown_urls.into_iter().chain(of_forms).any(|code| is_wanted(&code))
}
