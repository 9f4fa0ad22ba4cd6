//! The defaults in `.env.example` are true. That it names every setting is tested in devstack, which knows all services.

use clap::{Args as _, Command, FromArgMatches as _, builder::Resettable};

use super::{Settings, SettingsArguments, arguments::tests::SURFACE};
use crate::base::telemetry;

const EXAMPLE: &str = include_str!("../../../../.env.example");

/// The settings of a service with this environment.
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
        // As a service does when it knows its port.
        settings.base_url = format!("http://{}", settings.listen);
    }
    settings
}

#[test]
fn the_values_in_the_example_are_the_defaults() {
    let set: Vec<_> =
        EXAMPLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('=')).collect();
    assert!(!set.is_empty());
    assert_eq!(format!("{:?}", settings(&set)), format!("{:?}", settings(&[])));
}

#[test]
fn settings_that_are_commented_out_name_their_default() {
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
fn the_log_level_in_the_example_is_the_default() {
    assert!(EXAMPLE.contains(&format!("#RUST_LOG={}\n", telemetry::DEFAULT_FILTER)));
}
