//! The command line of the local stack.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use url::Url;

use crate::{service_name::ServiceName, tokens::CustomClaim};

/// Leaves room for the ports derived from the base: up to 4 above it, and 400 more for TLS.
const MAX_BASE: i64 = 65_535 - 404;

/// Runs all four Fourfold services on this machine, with a token issuer and sample data
#[derive(Debug, Parser)]
#[command(name = "fourfold", bin_name = "cargo run --", version, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(flatten)]
    pub run: Run,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print an access token for the current or the last stack
    Token(Token),
    /// Print the addresses and tokens of the current or the last stack as shell variables
    Env(Data),
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
    Prepare(Data),
    /// Create sample data in running services, print how to call them, and serve as the issuer until stopped
    Attend(Data),
}

#[derive(Debug, Args)]
pub struct Data {
    /// Folder with keys and stack.json
    #[arg(long, value_name = "DIR", default_value = ".fourfold")]
    pub data: PathBuf,
}

#[derive(Debug, Args)]
pub struct Run {
    /// Folder for databases, keys and stack.json
    #[arg(long, value_name = "DIR", default_value = ".fourfold")]
    pub data: PathBuf,
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
    /// Folder with the stack's keys and stack.json
    #[arg(long, value_name = "DIR", default_value = ".fourfold")]
    pub data: PathBuf,
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
