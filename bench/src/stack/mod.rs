//! `bench stack`: load on a running cloud-svc, for deploy/try. Each part prints one line of JSON and judges nothing:
//! deploy/try knows what it broke meanwhile.

mod caller;
mod commands;
mod outcomes;
mod rate;
mod reads;

use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Stack {
    /// Documents; each command is repeated with its key until it succeeds
    Commands(commands::Commands),
    /// Reads at a steady pace, without retries: outcomes by minute
    Reads(reads::Reads),
    /// As many reads as possible
    Rate(rate::Rate),
}

pub async fn run(stack: &Stack) -> Result<()> {
    let outcome = match stack {
        Stack::Commands(commands) => commands.run().await?,
        Stack::Reads(reads) => reads.run().await?,
        Stack::Rate(rate) => rate.run().await?,
    };
    println!("{outcome}");
    Ok(())
}
