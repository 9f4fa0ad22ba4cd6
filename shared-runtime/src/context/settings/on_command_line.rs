//! The settings on a service's command line: after a command's own options, and only those that the service has a use
//! for.

use std::env;

use clap::{Arg, Command, builder::Resettable};

use super::arguments::HEADING;

/// A setting that some services have no use for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionalSetting {
    /// Its option, and with underscores its variable.
    option: &'static str,
    /// What the service lacks: "it takes no tokens".
    reason: &'static str,
}

/// Only services with operations that need a token have an issuer of tokens.
pub const ISSUER: OptionalSetting = OptionalSetting { option: "issuer", reason: "it takes no access tokens" };
/// The same.
pub const JWKS: OptionalSetting = OptionalSetting { option: "jwks", reason: "it takes no access tokens" };
/// Only services with pages for people who have signed in.
pub const SIGN_IN_CLIENT_ID: OptionalSetting =
    OptionalSetting { option: "sign-in-client-id", reason: "nobody signs in to its pages" };
/// Only services that keep large things.
pub const BLOB_STORE: OptionalSetting = OptionalSetting { option: "blob-store", reason: "it stores no blobs" };
/// Only services that call addresses which others name.
pub const OUTBOUND_ALLOW: OptionalSetting = OptionalSetting { option: "outbound-allow", reason: "it calls nobody" };
/// Only services that keep a log for everyone to check.
pub const LOG_SIGNING_KEY: OptionalSetting = OptionalSetting { option: "log-signing-key", reason: "it keeps no log" };
/// Only services with a log that witnesses watch.
pub const LOG_WITNESSES: OptionalSetting =
    OptionalSetting { option: "log-witnesses", reason: "witnesses watch no log of it" };
/// The same.
pub const LOG_WITNESSES_NEEDED: OptionalSetting =
    OptionalSetting { option: "log-witnesses-needed", reason: "witnesses watch no log of it" };
/// Only services with jobs.
pub const WORKERS: OptionalSetting = OptionalSetting { option: "workers", reason: "it has no work in the background" };

impl OptionalSetting {
    /// The name of its environment variable.
    pub fn variable(self) -> String {
        self.option.replace('-', "_").to_ascii_uppercase()
    }

    fn is(self, argument: &Arg) -> bool {
        argument.get_long() == Some(self.option)
    }

    /// It is no part of the help, not read from the environment, and refused with the reason.
    fn taken_out_of(self, argument: Arg) -> Arg {
        let refuse = move |_: &str| -> Result<String, String> {
            Err(format!("this service has no use for it: {}", self.reason))
        };
        argument.hide(true).env(Resettable::Reset).value_parser(refuse)
    }
}

/// Puts the settings where they belong: the short help is without them.
pub fn arrange(command: Command, unused: &[OptionalSetting]) -> Command {
    command.mut_args(|argument| match unused.iter().find(|setting| setting.is(&argument)) {
        Some(unused) => unused.taken_out_of(argument),
        None if argument.get_help_heading() == Some(HEADING) => argument.hide_short_help(true),
        None => argument,
    })
}

/// Those of these variables that the environment has all the same.
pub fn set_for_nothing(unused: &[OptionalSetting]) -> Vec<String> {
    let is_set = |name: &String| env::var_os(name).is_some_and(|value| !value.is_empty());
    unused.iter().map(|setting| setting.variable()).filter(is_set).collect()
}
