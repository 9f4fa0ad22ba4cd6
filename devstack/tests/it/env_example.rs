//! `.env.example` names every setting of the four services, and no other.

use std::collections::BTreeSet;

use crate::services;

const EXAMPLE: &str = include_str!("../../../.env.example");

#[test]
fn the_example_names_every_setting_and_no_other() {
    let in_code: BTreeSet<String> = services().iter().flat_map(|service| service.setting_names()).collect();
    let in_example: BTreeSet<String> = EXAMPLE
        .lines()
        .filter_map(|line| line.trim_start_matches('#').split_once('=').map(|(name, _)| name.to_owned()))
        .filter(|name| name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'))
        .collect();
    assert_eq!(in_code, in_example);
}
