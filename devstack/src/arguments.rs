//! The command line of the local stack.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use url::Url;

use crate::{surfaces::SurfaceName, tokens::Claim};

/// The highest port that leaves room for the others of the stack.
const MAX_BASE: i64 = 65_535 - 404;

/// Runs all four Fourfold services on this machine, with a token issuer and sample data.
#[derive(Debug, Parser)]
#[command(name = "fourfold", bin_name = "cargo run --", version, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// How to run the stack.
    #[command(flatten)]
    pub run: Run,
    /// What to do instead of running it.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What to do instead of running the stack.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print an access token for the running or the last stack
    Token(Token),
    /// Print the addresses and tokens of the running or the last stack as variables of a shell
    Env(Data),
    /// The parts of docker-compose.yml that are no service
    #[command(subcommand, hide = true)]
    Containers(Containers),
}

/// What docker-compose.yml runs.
#[derive(Debug, Subcommand)]
pub enum Containers {
    /// Make the secrets, keys and certificates of all containers, those that are not there yet
    Prepare(Data),
    /// Make the sample data and print how to call the services, which run; then issue keys until stopped
    Attend(Data),
}

/// Where it is kept.
#[derive(Debug, Args)]
pub struct Data {
    /// Where keys and stack.json live
    #[arg(long, value_name = "DIR", default_value = ".fourfold")]
    pub data: PathBuf,
}

/// How to run the stack.
#[derive(Debug, Args)]
pub struct Run {
    /// Where databases, keys and stack.json live
    #[arg(long, value_name = "DIR", default_value = ".fourfold")]
    pub data: PathBuf,
    /// The issuer's port; the services take the four after it, operations + 100, TLS + 400; 0 takes free ones
    #[arg(long, value_name = "N", default_value_t = 8080, value_parser = clap::value_parser!(u16).range(0..=MAX_BASE))]
    pub port_base: u16,
    /// A PostgreSQL database to use instead of SQLite; each service gets a schema of its own in it
    #[arg(long, value_name = "URL")]
    pub postgres: Option<Url>,
    /// A Redis server to use instead of in-process counters
    #[arg(long, value_name = "URL")]
    pub redis: Option<Url>,
    /// Requests a minute other than the defaults, as read=600,anonymous=10000: each service takes those that it has
    #[arg(long, value_name = "NAME=NUMBER,…", env = "RATE_LIMITS")]
    pub rate_limits: Option<String>,
    /// Start without sample data
    #[arg(long)]
    pub no_samples: bool,
}

/// What the token says.
#[derive(Debug, Args)]
pub struct Token {
    /// Where the stack's keys and stack.json live
    #[arg(long, value_name = "DIR", default_value = ".fourfold")]
    pub data: PathBuf,
    /// The service that the token is for
    #[arg(long, value_enum)]
    pub surface: SurfaceName,
    /// Whose token it is [default: the sample owner]
    #[arg(long)]
    pub sub: Option<String>,
    /// Scopes of the surface, separated by blanks [default: all of them]
    #[arg(long)]
    pub scope: Option<String>,
    /// The grant behind the token [default: that of the sample caller, or one made from --sub]
    #[arg(long)]
    pub grant_id: Option<String>,
    /// Seconds until the token expires
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, allow_negative_numbers = true)]
    pub ttl: i64,
    /// Any claim as JSON, over all others and unchecked: --claim 'workspace_id="ws_2"'; null leaves the claim out
    #[arg(long = "claim", value_name = "NAME=JSON")]
    pub claims: Vec<Claim>,
}
