//! Options for the sender: token and duration.

use std::{fs, path::PathBuf, time::Duration};

use anyhow::{Context as _, Result};
use clap::Args;
use reqwest::Client;

#[derive(Args)]
pub struct Caller {
    /// File with an access token
    #[arg(long)]
    token: PathBuf,
    /// Duration in seconds
    #[arg(long)]
    seconds: u64,
}

impl Caller {
    pub fn token(&self) -> Result<String> {
        let text = fs::read_to_string(&self.token).context("the file with the token")?;
        Ok(text.trim().to_owned())
    }

    pub fn length(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

// Gives up after ten seconds, as clients do.
pub fn client() -> Result<Client> {
    shared_runtime::base::tls::install_cryptography();
    Ok(Client::builder().no_proxy().timeout(Duration::from_secs(10)).build()?)
}
