//! `bench stack`: load on cloud-svc where it runs already, for deploy/try. Each part prints one line of JSON: what was sent, and
//! what became of it. Nothing is promised here; whoever breaks something meanwhile judges.

mod caller;
mod commands;
mod outcomes;
mod rate;
mod reads;

use anyhow::Result;
use clap::Subcommand;

/// What is sent.
#[derive(Subcommand)]
pub enum Stack {
    /// Documents, created by writers that repeat each command with its key until it is answered
    Commands(commands::Commands),
    /// Reads at a steady pace, none repeated: what was answered in each minute
    Reads(reads::Reads),
    /// As many reads as are answered
    Rate(rate::Rate),
}

/// Sends it, and prints what became of it.
pub async fn run(stack: &Stack) -> Result<()> {
    let outcome = match stack {
        Stack::Commands(commands) => commands.run().await?,
        Stack::Reads(reads) => reads.run().await?,
        Stack::Rate(rate) => rate.run().await?,
    };
    println!("{outcome}");
    Ok(())
}
