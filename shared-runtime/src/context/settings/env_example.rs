//! `.env.example` names every setting that the code reads, with its default, and no other.

use std::collections::BTreeSet;

use clap::{Args as _, Command, FromArgMatches as _, builder::Resettable};

use super::{Settings, SettingsArguments, arguments::tests::SURFACE, lookalikes};
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

/// The settings of cloud-svc with these lines in its environment.
fn settings(environment: &[(&str, &str)]) -> Settings {
    let arguments = environment
        .iter()
        .flat_map(|(name, value)| [format!("--{}", name.replace('_', "-").to_ascii_lowercase()), (*value).to_owned()]);
    let secret = ["settings", "--service-secret", "0123456789abcdef0123456789abcdef"].map(str::to_owned);
    let command = SettingsArguments::augment_args(Command::new("settings")).mut_args(|one| one.env(Resettable::Reset));
    let matches = command.try_get_matches_from(secret.into_iter().chain(arguments)).expect("options of the same names");
    let arguments = SettingsArguments::from_arg_matches(&matches).expect("settings");
    let mut settings = arguments.check(&SURFACE, &[]).expect("no mistake");
    if settings.base_url.is_empty() {
        // As a service does when it knows where it listens.
        settings.base_url = format!("http://{}", settings.listen);
    }
    settings
}

#[test]
fn what_the_example_sets_are_the_defaults() {
    let set: Vec<_> =
        EXAMPLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('=')).collect();
    assert!(!set.is_empty());
    assert_eq!(format!("{:?}", settings(&set)), format!("{:?}", settings(&[])));
}

#[test]
fn what_the_example_does_not_set_tells_its_default() {
    let mut comment = String::new();
    for line in EXAMPLE.lines() {
        let is_setting = line.strip_prefix('#').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
        if is_setting {
            assert!(comment.contains("Default: ") || comment.contains("Default on SQLite: "), "{line}");
        } else if line.starts_with("# ") {
            comment.push_str(line);
        } else {
            comment.clear();
        }
    }
}

#[test]
fn the_default_of_the_log_is_the_true_one() {
    assert!(EXAMPLE.contains(&format!("#RUST_LOG={}\n", telemetry::DEFAULT)));
}
