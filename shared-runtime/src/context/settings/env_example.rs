//! `.env.example` names every setting that the code reads, and no other.

use std::collections::BTreeSet;

use clap::{Args as _, Command};

use super::SettingsArguments;

#[test]
fn the_example_names_every_setting_and_no_other() {
    let command = SettingsArguments::augment_args(Command::new("settings"));
    let in_code: BTreeSet<String> = command
        .get_arguments()
        .filter_map(|argument| Some(argument.get_env()?.to_str()?.to_owned()))
        .chain(["RUST_LOG".to_owned()])
        .collect();
    let example = include_str!("../../../../.env.example");
    let in_example: BTreeSet<String> = example
        .lines()
        .filter_map(|line| line.trim_start_matches('#').split_once('=').map(|(name, _)| name.to_owned()))
        .filter(|name| name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'))
        .collect();
    assert_eq!(in_code, in_example);
}
