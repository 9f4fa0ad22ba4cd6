//! Compares what the service says with what the workers have been answered.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shared_testing::{Caller, Text as _};

use super::record::{History, Unit};
use crate::samples::all;

/// Fails if a plan was lost, applied twice, applied without the others of its proposal, or applied unapproved.
pub async fn everything(caller: &Caller, history: &History, round: u64) {
    let mut expected: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    let units = history.units.borrow().clone();
    for unit in &units {
        let told = (unit.applied, unit.undone);
        assert!(matches!(told, (0, 0) | (1, 0) | (1, 1)), "round {round}: a decision was made twice: {unit:#?}");
        if !unit.proposal.is_empty() {
            state(caller, unit, round).await;
        }
        for (file, text) in &unit.texts {
            let file = history.files.iter().find(|own| *own == file).expect("a file of the history");
            *versions.entry(file).or_default() += unit.applied + unit.undone;
            if told == (1, 0) {
                expected.entry(file).or_default().push(text.clone());
            }
        }
    }
    for file in &history.files {
        let document = caller.get(format!("/v1/documents/{file}")).await.status(200);
        let blocks = document["content"]["blocks"].as_array().expect("blocks");
        let mut found: Vec<_> =
            blocks[1..].iter().map(|block| block["segments"][0]["text"].text().to_owned()).collect();
        let mut expected = expected.remove(file.as_str()).unwrap_or_default();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "round {round}: what {file} contains is not what was answered");
        let made = all(caller, &format!("/v1/files/{file}/versions?limit=100")).await.len();
        assert_eq!(made, 1 + versions.get(file.as_str()).unwrap_or(&0), "round {round}: versions of {file}");
    }
    receipts(caller, &units, round).await;
}

async fn state(caller: &Caller, unit: &Unit, round: u64) {
    let read = caller.get(format!("/v1/proposals/{}", unit.proposal)).await.status(200);
    let proposal = &read["proposal"];
    let expected = match (unit.applied, unit.undone) {
        (1, 0) => Some("applied"),
        (1, _) => Some("undone"),
        _ => None,
    };
    let now = proposal["state"].text();
    let state = Some(now).filter(|state| matches!(*state, "applied" | "undone"));
    assert_eq!(state, expected, "round {round}: {unit:#?}");
    let plans = proposal["plans"].as_array().expect("plans");
    let mut files: Vec<_> = plans.iter().map(|plan| plan["file_id"].text()).collect();
    files.sort_unstable();
    let mut own: Vec<_> = unit.texts.keys().map(String::as_str).collect();
    own.sort_unstable();
    assert_eq!(files, own, "round {round}: {unit:#?}");
    let is_applied = state.is_some();
    for plan in plans {
        assert_eq!(plan["state"] == "applied", is_applied, "round {round}: {plan} of {unit:#?}");
    }
}

/// Each applied plan has a receipt. Whose approval it names, that person approved just this plan.
async fn receipts(caller: &Caller, units: &[Unit], round: u64) {
    let receipts = all(caller, "/v1/receipts?limit=100").await;
    let statements: Vec<_> = receipts.iter().map(|receipt| &receipt["statement"]).collect();
    for (index, statement) in statements.iter().enumerate() {
        assert_eq!(statement["sequence"], json!(index + 1), "round {round}: {statement}");
    }
    let applied = statements.iter().filter(|statement| statement["decision"] == "applied").count();
    let expected: usize = units.iter().map(|unit| unit.applied * unit.texts.len()).sum();
    assert_eq!(applied, expected, "round {round}: receipts of applied plans");
    for statement in statements.iter().filter(|statement| statement["decision"] == "applied") {
        let is_of_agent = statement["decided_by"]["type"] == "agent";
        assert!(!is_of_agent || !statement["approved_by"].is_null(), "round {round}: unapproved: {statement}");
        if !statement["approved_by"].is_null() {
            assert_ne!(statement["approved_by"]["id"], statement["author"]["id"], "round {round}: {statement}");
            let covers = |approval: &&&Value| {
                let same = ["plan_id", "proposal_sha256", "base_sha256"];
                approval["decision"] == "approved"
                    && approval["decided_by"] == statement["approved_by"]
                    && same.iter().all(|member| approval[*member] == statement[*member])
            };
            assert!(statements.iter().any(|one| covers(&one)), "round {round}: no approval of {statement}");
        }
    }
}
