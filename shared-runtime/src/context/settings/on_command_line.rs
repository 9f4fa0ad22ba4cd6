//! The settings on a service's command line: after a command's own options, and only those that the service has a use for.

use std::env;

use clap::{Arg, Command, builder::Resettable};

use super::arguments::HEADING;

/// A setting that some services have no use for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optional {
    /// Its option, and with underscores its variable.
    option: &'static str,
    /// What the service lacks: "it takes no tokens".
    reason: &'static str,
}

/// Only services with operations that need a token have an issuer of tokens.
pub const ISSUER: Optional = Optional { option: "issuer", reason: "it takes no access tokens" };
/// The same.
pub const JWKS: Optional = Optional { option: "jwks", reason: "it takes no access tokens" };
/// Only services that keep large things.
pub const BLOB_STORE: Optional = Optional { option: "blob-store", reason: "it stores no blobs" };
/// Only services that call addresses which others name.
pub const OUTBOUND_ALLOW: Optional = Optional { option: "outbound-allow", reason: "it calls nobody" };
/// Only services with jobs.
pub const WORKERS: Optional = Optional { option: "workers", reason: "it has no work in the background" };

impl Optional {
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
pub fn arrange(command: Command, unused: &[Optional]) -> Command {
    command.mut_args(|argument| match unused.iter().find(|setting| setting.is(&argument)) {
        Some(unused) => unused.taken_out_of(argument),
        None if argument.get_help_heading() == Some(HEADING) => argument.hide_short_help(true),
        None => argument,
    })
}

/// Those of these variables that the environment has all the same.
pub fn set_for_nothing(unused: &[Optional]) -> Vec<String> {
    unused.iter().map(|setting| setting.variable()).filter(|name| env::var_os(name).is_some()).collect()
}
