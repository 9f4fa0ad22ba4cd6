//! `bench stack`: load on cloud-svc where it runs already, for deploy/try. Each part prints one line of JSON: what was sent, and
//! what became of it. Nothing is promised here; whoever breaks something meanwhile judges.

mod commands;
mod outcomes;
mod rate;
mod reads;

use std::{fs, path::PathBuf, time::Duration};

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use reqwest::Client;

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

/// By whom.
#[derive(Args)]
struct Caller {
    /// A file with an access token
    #[arg(long)]
    token: PathBuf,
    /// For how long
    #[arg(long)]
    seconds: u64,
}

impl Caller {
    fn token(&self) -> Result<String> {
        let text = fs::read_to_string(&self.token).context("the file with the token")?;
        Ok(text.trim().to_owned())
    }

    fn length(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
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

/// A client that gives an attempt up after ten seconds, as clients do.
fn client() -> Result<Client> {
    shared_runtime::base::tls::install_cryptography();
    Ok(Client::builder().no_proxy().timeout(Duration::from_secs(10)).build()?)
}
