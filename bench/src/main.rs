//! Fourfold beside a peer that does the least that could be done, in the same run under the same load.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

mod binaries;
mod canonical;
mod changes;
mod create;
mod deliveries;
mod document;
mod download;
mod edit;
mod files;
mod follow;
mod import;
mod load;
mod names;
mod order_file;
mod order_reads;
mod peer;
mod peer_process;
mod process;
mod publish;
mod read;
mod receiver;
mod report;
mod rows;
mod search;
mod service;
mod soak;
mod stack;
mod start;
mod tree;
mod upload;

use std::{path::PathBuf, process::ExitCode, time::Duration};

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Measures the services as they are built, in processes of their own.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Authenticated reads of a 2 KiB document, beside a bare actix handler that returns the same bytes
    Read(load::Load),
    /// Durable POST /v1/documents with fresh keys, beside the same rows written without HTTP
    Create(create::Creates),
    /// An edit of one block proposed and applied, beside a create; and the largest contents
    Edit(edit::Edits),
    /// Searches among many names, beside the same queries without HTTP
    Search(search::Searches),
    /// A workspace of 200 000 files: list, move, trash and restore of its largest folder
    Tree(tree::Tree),
    /// Downloads of a part of an export, beside a bare actix-files server on the same file
    Download(download::Download),
    /// Chunks of uploads, beside the same bytes hashed, written and synced without HTTP
    Upload(upload::Upload),
    /// Events told to one webhook and to ten, beside the same POSTs sent in a bare loop
    Deliveries(deliveries::Deliveries),
    /// A change feed followed by one reader, beside the same queries without HTTP; and how soon long-polls are woken
    Follow(follow::Follow),
    /// Orders imported by orders-svc import, beside the same rows copied by psql or sqlite3
    Import(import::Amount),
    /// Authenticated reads of random orders at 32 connections, of 1 000 and of 1 000 000 in turns
    OrderReads(order_reads::Sizes),
    /// Signed events published on a small and on a large log, beside verifying and committing alone
    Publish(publish::Publishes),
    /// The canonical form of an event (RFC 8785), beside serde_json's to_vec and the reference implementation
    Canonical(canonical::Writes),
    /// Time from the start of each service to its first answer, and its resident memory when idle
    Start,
    /// Attacks, kills and outages: memory, descriptors, commands lost and done twice
    Soak(soak::Soak),
    /// Load on a stack of containers, for deploy/try
    #[command(subcommand)]
    Stack(stack::Stack),
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
    /// Searches, without HTTP
    #[command(hide = true)]
    Names {
        /// A database of the cloud service
        database: String,
        /// Names in it
        #[arg(long)]
        names: u64,
        /// How many searches at a time
        #[arg(long)]
        connections: usize,
        /// For how long
        #[arg(long)]
        seconds: u64,
    },
    /// The rows of a create, written without HTTP
    #[command(hide = true)]
    Rows {
        /// A migrated database of the cloud service
        database: String,
        /// In four statements or in one
        #[arg(long, value_enum)]
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

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Read(load) => wait_for(read::run(&load)),
        Command::Create(creates) => wait_for(create::run(&creates)),
        Command::Edit(edits) => wait_for(edit::run(&edits)),
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
        Command::Start => wait_for(start::run()),
        Command::Soak(soak) => wait_for(soak::run(&soak)),
        Command::Files { folder } => files::serve(&folder),
        Command::Peer { answer } => peer::serve(&answer),
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
