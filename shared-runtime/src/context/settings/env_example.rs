//! `.env.example` names every setting that the code reads, and no other.

use std::collections::BTreeSet;

use super::lookalikes;
use crate::base::telemetry;

const EXAMPLE: &str = include_str!("../../../../.env.example");

#[test]
fn the_example_names_every_setting_and_no_other() {
    let in_code: BTreeSet<String> = lookalikes::names().into_iter().collect();
    let in_example: BTreeSet<String> = EXAMPLE
        .lines()
        .filter_map(|line| line.trim_start_matches('#').split_once('=').map(|(name, _)| name.to_owned()))
        .filter(|name| name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'))
        .collect();
    assert_eq!(in_code, in_example);
}

#[test]
fn the_default_of_the_log_is_the_true_one() {
    assert!(EXAMPLE.contains(&format!("#RUST_LOG={}\n", telemetry::DEFAULT)));
}
