//! The command line of the local stack.

use std::{ffi::OsString, path::PathBuf};

use clap::{
    Args, CommandFactory as _, Error, FromArgMatches as _, Parser, Subcommand, error::ErrorKind, parser::ValueSource,
};
use url::Url;

use crate::{service_name::ServiceName, tokens::CustomClaim};

/// Leaves room for the ports derived from the base: up to 4 above it, and 400 more for TLS.
const MAX_BASE: i64 = 65_535 - 404;
/// The group of the options that no command takes.
const RUN: &str = "run";

/// Runs all four Fourfold services on this machine, with a token issuer and sample data
#[derive(Debug, Parser)]
#[command(name = "fourfold", bin_name = "cargo run --", version)]
pub struct Arguments {
    /// Folder of the stack for databases, keys and stack.json
    #[arg(long, value_name = "DIR", default_value = ".fourfold", global = true)]
    pub data: PathBuf,
    #[command(flatten)]
    pub run: Run,
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Arguments {
    pub fn read(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Self, Error> {
        let mut line = Self::command();
        let matches = line.try_get_matches_from_mut(words)?;
        // Not by `args_conflicts_with_subcommands`, which would also refuse `--data` before a command.
        let has_options = matches.value_source(RUN) == Some(ValueSource::CommandLine);
        match matches.subcommand_name() {
            Some(name) if has_options => {
                let rule = format!("only --data may stand before the command {name}");
                Err(line.error(ErrorKind::ArgumentConflict, rule))
            }
            _ => Self::from_arg_matches(&matches),
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print an access token for the current or the last stack
    Token(Token),
    /// Print the addresses and tokens of the current or the last stack as shell variables
    Env,
    /// Steps of docker-compose.yml other than the services
    #[command(subcommand, hide = true)]
    Containers(Containers),
    /// Write docs/reference into a folder
    #[command(hide = true)]
    Reference { folder: PathBuf },
}

#[derive(Debug, Subcommand)]
pub enum Containers {
    /// Create the secrets, keys and certificates that the containers need and that do not exist yet
    Prepare,
    /// Create sample data in running services, print how to call them, and serve as the issuer until stopped
    Attend,
}

#[derive(Debug, Args)]
#[group(id = RUN)]
pub struct Run {
    /// Port of the issuer; services use the next four, operator endpoints are 100 higher, TLS 400 higher; 0 picks free
    /// ports
    #[arg(long, value_name = "N", default_value_t = 8080, value_parser = clap::value_parser!(u16).range(0..=MAX_BASE))]
    pub port_base: u16,
    /// PostgreSQL database to use instead of SQLite; each service gets its own schema
    #[arg(long, value_name = "URL")]
    pub postgres: Option<Url>,
    /// Redis server to use instead of in-process counters
    #[arg(long, value_name = "URL")]
    pub redis: Option<Url>,
    /// Requests per minute that differ from the defaults, for example read=600,anonymous=10000; each service uses the
    /// limits it has
    #[arg(long, value_name = "NAME=NUMBER,…", env = "RATE_LIMITS")]
    pub rate_limits: Option<String>,
    /// Start without sample data
    #[arg(long)]
    pub no_samples: bool,
}

#[derive(Debug, Args)]
pub struct Token {
    /// Service that the token is for
    #[arg(long = "surface", value_enum)]
    pub service: ServiceName,
    /// Subject of the token [default: the sample owner]
    #[arg(long)]
    pub sub: Option<String>,
    /// Scopes of the service, separated by spaces [default: all of them]
    #[arg(long)]
    pub scope: Option<String>,
    /// Access grant of the token [default: that of the sample caller, or one derived from --sub]
    #[arg(long)]
    pub grant_id: Option<String>,
    /// Seconds until the token expires
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, allow_negative_numbers = true)]
    pub ttl: i64,
    /// Any claim as JSON, unchecked; overrides all others: --claim 'workspace_id="ws_2"'; null removes the claim
    #[arg(long = "claim", value_name = "NAME=JSON")]
    pub claims: Vec<CustomClaim>,
}

#[cfg(test)]
mod tests {
    use std::{iter, path::Path};

    use super::*;

    fn read(line: &str) -> Result<Arguments, Error> {
        Arguments::read(iter::once("devstack").chain(line.split(' ')))
    }

    #[test]
    fn the_folder_is_named_before_or_after_a_command() {
        for line in [
            "--data x",
            "--data x --no-samples",
            "--no-samples --data x",
            "--data x token --surface cloud",
            "token --data x --surface cloud",
            "token --surface cloud --data x",
            "--data x env",
            "env --data x",
            "--data x containers prepare",
            "containers --data x attend",
            "containers attend --data x",
        ] {
            assert_eq!(read(line).expect(line).data, Path::new("x"), "{line}");
        }
        for line in ["--no-samples", "env", "token --surface cloud"] {
            assert_eq!(read(line).expect(line).data, Path::new(".fourfold"), "{line}");
        }
    }

    #[test]
    fn other_options_of_the_stack_are_for_no_command() {
        for line in ["--no-samples env", "--port-base 0 token --surface cloud", "--data x --rate-limits read=1 env"] {
            let refused = read(line).expect_err(line);
            assert_eq!(refused.kind(), ErrorKind::ArgumentConflict, "{line}");
            assert!(refused.to_string().contains("only --data may stand before the command"), "{refused}");
        }
        assert_eq!(read("env --no-samples").expect_err("after it").kind(), ErrorKind::UnknownArgument);
    }
}
