//! Fourfold beside a peer that does the least that could be done, in the same run under the same load.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

mod binaries;
mod create;
mod download;
mod files;
mod import;
mod load;
mod order_file;
mod order_reads;
mod peer;
mod process;
mod read;
mod report;
mod rows;
mod service;
mod start;

use std::{path::PathBuf, process::ExitCode, time::Duration};

use clap::{Args, Parser, Subcommand};
use shared_testing::servers::Servers;

/// Measures the services as they are built, in processes of their own.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Authenticated reads of a 2 KiB document, beside a bare actix handler that returns the same bytes
    Read(Load),
    /// Durable POST /v1/documents with fresh keys, beside the same rows written without HTTP
    Create(create::Creates),
    /// Downloads of a part of an export, beside a bare actix-files server on the same file
    Download(Download),
    /// Orders imported by orders-svc import, beside the same rows copied by psql or sqlite3
    Import(import::Amount),
    /// Authenticated reads of random orders at 32 connections, of 1 000 and of 1 000 000 in turns
    OrderReads(order_reads::Sizes),
    /// Time from the start of each service to its first answer, and its resident memory when idle
    Start,
    /// The bare actix-files server of a folder
    #[command(hide = true)]
    Files {
        /// The folder
        folder: PathBuf,
    },
    /// The bare actix handler: returns the answer in this file to every request
    #[command(hide = true)]
    Peer {
        /// Where the answer is
        answer: PathBuf,
    },
    /// The rows of a create, written without HTTP
    #[command(hide = true)]
    Rows {
        /// A migrated database of the cloud service
        database: String,
        /// In four statements or in one
        #[arg(long)]
        manner: rows::Manner,
        /// How many writers at a time (PostgreSQL)
        #[arg(long)]
        connections: usize,
        /// How many workspaces
        #[arg(long)]
        workspaces: i64,
        /// For how long
        #[arg(long)]
        seconds: u64,
    },
}

/// How hard, how long, on what.
#[derive(Args, Clone)]
struct Load {
    /// Seconds of each round
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Rounds of each side; the sides take turns, so that noise hits both
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Connections, each with one request at a time
    #[arg(long, default_value_t = 32)]
    connections: usize,
    /// Admin URL of a PostgreSQL in which a database may be created for the run (with --redis)
    #[arg(long, requires = "redis")]
    postgres: Option<String>,
    /// A Redis: keys are added, and nothing is removed
    #[arg(long, requires = "postgres")]
    redis: Option<String>,
    /// Keep the service running after the last round, under load, for a profiler: seconds
    #[arg(long, default_value_t = 0)]
    profile_seconds: u64,
}

/// How large, how often.
#[derive(Args, Clone)]
struct Download {
    /// MiB of the file
    #[arg(long, default_value_t = 512)]
    mib: u64,
    /// Rounds of each side; the sides take turns, so that noise hits both
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Downloads of the whole file at a time
    #[arg(long, default_value_t = 4)]
    connections: usize,
}

impl Load {
    fn round(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    fn servers(&self) -> Option<Servers> {
        let (postgres, redis) = (self.postgres.clone()?, self.redis.clone()?);
        Some(Servers { postgres, redis, is_shared: true })
    }

    fn ground(&self) -> &'static str {
        if self.postgres.is_some() { "PostgreSQL + Redis" } else { "embedded (SQLite, local counters)" }
    }
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Read(load) => wait_for(read::run(&load)),
        Command::Create(creates) => wait_for(create::run(&creates)),
        Command::Download(download) => wait_for(download::run(&download)),
        Command::Import(amount) => wait_for(import::run(&amount)),
        Command::OrderReads(sizes) => wait_for(order_reads::run(&sizes)),
        Command::Start => wait_for(start::run()),
        Command::Files { folder } => files::serve(&folder),
        Command::Peer { answer } => peer::serve(&answer),
        Command::Rows { database, manner, connections, workspaces, seconds } => {
            rows::write(&database, manner, connections, workspaces, Duration::from_secs(seconds))
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What can go wrong here is for a person to read.
type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn wait_for(run: impl Future<Output = Outcome>) -> Outcome {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run)
}
