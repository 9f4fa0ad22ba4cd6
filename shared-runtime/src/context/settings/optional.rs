//! Common settings that some services do not use, and where `--help` shows settings.

use std::{env, ffi::OsStr};

use clap::{
    Arg, Command,
    builder::{Resettable, TypedValueParser},
    error::ErrorKind,
};

use super::HEADING;

/// A common setting that some services do not use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionalSetting {
    /// `issuer` for `--issuer` and `ISSUER`.
    option: &'static str,
    /// Why a service does not use it, for the error message.
    reason: &'static str,
}

pub const ISSUER: OptionalSetting = OptionalSetting { option: "issuer", reason: "it takes no access tokens" };
pub const JWKS: OptionalSetting = OptionalSetting { option: "jwks", reason: "it takes no access tokens" };
pub const BLOB_STORE: OptionalSetting = OptionalSetting { option: "blob-store", reason: "it stores no blobs" };
pub const OUTBOUND_ALLOW: OptionalSetting = OptionalSetting { option: "outbound-allow", reason: "it calls nobody" };
pub const LOG_SIGNING_KEY: OptionalSetting = OptionalSetting { option: "log-signing-key", reason: "it keeps no log" };
pub const ROLE: OptionalSetting = OptionalSetting { option: "role", reason: "it has no work in the background" };

/// All of them.
pub const ALL: [OptionalSetting; 6] = [ISSUER, JWKS, BLOB_STORE, OUTBOUND_ALLOW, LOG_SIGNING_KEY, ROLE];

impl OptionalSetting {
    /// `ISSUER`.
    pub fn variable(self) -> String {
        self.option.replace('-', "_").to_ascii_uppercase()
    }

    fn is(self, argument: &Arg) -> bool {
        argument.get_long() == Some(self.option)
    }

    fn disable(self, argument: Arg) -> Arg {
        // Not an unknown option: an operator who shares one set of options among services learns why this one refuses
        // it.
        argument.hide(true).env(Resettable::Reset).value_parser(RefusesAll(self))
    }
}

/// Refuses every value. An error of clap's own would repeat it, and it may be a secret.
#[derive(Clone)]
struct RefusesAll(OptionalSetting);

impl TypedValueParser for RefusesAll {
    type Value = String;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, _: &OsStr) -> Result<String, clap::Error> {
        let OptionalSetting { option, reason } = self.0;
        let message = format!("--{option}: this service has no use for it: {reason}\n");
        Err(clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command))
    }
}

/// Disables the unused settings, and leaves all others to the long help.
pub fn arrange(command: Command, unused: &[OptionalSetting]) -> Command {
    command.mut_args(|argument| match unused.iter().find(|setting| setting.is(&argument)) {
        Some(unused) => unused.disable(argument),
        None if argument.get_help_heading() == Some(HEADING) => argument.hide_short_help(true),
        None => argument,
    })
}

/// The unused settings that the environment sets nevertheless.
pub fn set_but_unused(unused: &[OptionalSetting]) -> Vec<String> {
    // Only a warning, because several services may share one environment.
    let is_set = |name: &String| env::var_os(name).is_some_and(|value| !value.is_empty());
    unused.iter().map(|setting| setting.variable()).filter(is_set).collect()
}

#[cfg(test)]
mod tests {
    use clap::Args as _;

    use super::*;
    use crate::context::settings::SettingsArguments;

    #[test]
    fn a_setting_without_use_is_refused_without_its_value() {
        let command = arrange(SettingsArguments::augment_args(Command::new("settings")), &[JWKS]);
        let refused = command.try_get_matches_from(["settings", "--jwks", "https://ada:hunter2@issuer/x"]);
        let said = refused.expect_err("of no use").to_string();
        assert!(said.contains("--jwks: this service has no use for it: it takes no access tokens"), "{said}");
        assert!(!said.contains("hunter2"), "{said}");
    }
}
