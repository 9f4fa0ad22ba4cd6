//! Compares Fourfold with minimal peers, in the same run and under the same load.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

mod binaries;
mod canonical;
mod ceiling;
mod changes;
mod contents;
mod create;
mod deliveries;
mod document;
mod download;
mod edit;
mod files;
mod follow;
mod import;
mod load;
mod memory;
mod names;
mod order_file;
mod order_reads;
mod peer;
mod peer_process;
mod process;
mod propose_many;
mod publish;
mod read;
mod receiver;
mod report;
mod rows;
mod scale;
mod search;
mod service;
mod soak;
mod stack;
mod start;
mod stock;
mod tree;
mod upload;
mod workbook;

use std::{path::PathBuf, process::ExitCode, time::Duration};

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Measures the built services, each in its own process
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Authenticated reads of a 2 KiB document, compared with a bare actix handler that returns the same bytes
    Read(load::Load),
    /// Durable POST /v1/documents with fresh keys, compared with inserts of the same rows
    Create(create::Creates),
    /// Proposing and applying an edit of one block, compared with a create; then the largest contents
    Edit(edit::Edits),
    /// A proposal over fifty files, compared with as many single applies; and the creates of others meanwhile
    ProposeMany(propose_many::Together),
    /// Searches among many names, compared with the same queries without HTTP
    Search(search::Searches),
    /// A workspace of 200 000 files: list, move, trash and restore of its largest folder
    Tree(tree::Tree),
    /// Downloads of an export's part, compared with actix-files serving the same file
    Download(download::Download),
    /// Upload chunks, compared with the same bytes hashed, written and synced without HTTP
    Upload(upload::Upload),
    /// Events for one and for ten webhooks, compared with the same POSTs in a loop
    Deliveries(deliveries::Deliveries),
    /// One reader of the change feed, compared with the same queries without HTTP; and the delay of long-polls
    Follow(follow::Follow),
    /// Orders imported by orders-svc import, compared with the same rows copied by psql or sqlite3
    Import(import::Amount),
    /// Authenticated reads of random orders, among 1 000 and among 1 000 000
    OrderReads(order_reads::Sizes),
    /// Signed events published on a small and on a large log, compared with verification and commits alone
    Publish(publish::Publishes),
    /// Canonical JSON of an event (RFC 8785), compared with serde_json's to_vec and the reference implementation
    Canonical(canonical::Writes),
    /// Requests on an empty database and on one with a million files, in turns
    Scale(scale::Scale),
    /// Time from the start of each service to its first answer, and idle memory
    Start,
    /// Memory of Cloud for 1 000 grants, long-polls, webhooks and unread calls
    Memory,
    /// Attacks, kills and outages: memory, descriptors, lost and repeated commands
    Soak(soak::Soak),
    /// Load on running containers, for deploy/try
    #[command(subcommand)]
    Stack(stack::Stack),
    /// Serves a folder with actix-files
    #[command(hide = true)]
    Files { folder: PathBuf },
    /// Returns the answer in this file to every request
    #[command(hide = true)]
    Peer { answer: PathBuf },
    /// Returns the bytes in this file to every request
    #[command(hide = true)]
    Echo { exchange: PathBuf },
    /// Searches without HTTP
    #[command(hide = true)]
    Names {
        database: String,
        #[arg(long)]
        names: u64,
        #[arg(long)]
        connections: usize,
        #[arg(long)]
        seconds: u64,
    },
    /// Inserts the rows of a create, without HTTP
    #[command(hide = true)]
    Rows {
        database: String,
        #[arg(long, value_enum)]
        manner: rows::Manner,
        #[arg(long)]
        connections: usize,
        #[arg(long)]
        workspaces: i64,
        #[arg(long)]
        seconds: u64,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Read(load) => wait_for(read::run(&load)),
        Command::Create(creates) => wait_for(create::run(&creates)),
        Command::Edit(edits) => wait_for(edit::run(&edits)),
        Command::ProposeMany(together) => wait_for(propose_many::run(&together)),
        Command::Stack(stack) => wait_for(stack::run(&stack)),
        Command::Search(searches) => wait_for(search::run(&searches)),
        Command::Tree(tree) => wait_for(tree::run(&tree)),
        Command::Publish(publishes) => wait_for(publish::run(&publishes)),
        Command::Names { database, names, connections, seconds } => {
            search::query(&database, names, connections, Duration::from_secs(seconds))
        }
        Command::Download(download) => wait_for(download::run(&download)),
        Command::Upload(upload) => wait_for(upload::run(&upload)),
        Command::Deliveries(deliveries) => wait_for(deliveries::run(&deliveries)),
        Command::Follow(follow) => wait_for(follow::run(&follow)),
        Command::Import(amount) => wait_for(import::run(&amount)),
        Command::OrderReads(sizes) => wait_for(order_reads::run(&sizes)),
        Command::Canonical(writes) => canonical::run(&writes),
        Command::Scale(scale) => wait_for(scale::run(&scale)),
        Command::Start => wait_for(start::run()),
        Command::Memory => wait_for(memory::run()),
        Command::Soak(soak) => wait_for(soak::run(&soak)),
        Command::Files { folder } => files::serve(&folder),
        Command::Peer { answer } => peer::serve(&answer),
        Command::Echo { exchange } => ceiling::serve(&exchange),
        Command::Rows { database, manner, connections, workspaces, seconds } => {
            rows::write(&database, manner, connections, workspaces, Duration::from_secs(seconds))
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn wait_for(run: impl Future<Output = Result<()>>) -> Result<()> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run)
}
