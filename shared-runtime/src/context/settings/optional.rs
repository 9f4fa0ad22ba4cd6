//! Common settings that some services do not use, and where `--help` shows settings.

use std::env;

use clap::{Arg, Command, builder::Resettable};

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
        let refuse = move |_: &str| -> Result<String, String> {
            Err(format!("this service has no use for it: {}", self.reason))
        };
        argument.hide(true).env(Resettable::Reset).value_parser(refuse)
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
