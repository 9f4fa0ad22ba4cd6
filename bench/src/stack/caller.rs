//! Who sends, for how long, and with what.

use std::{fs, path::PathBuf, time::Duration};

use anyhow::{Context as _, Result};
use clap::Args;
use reqwest::Client;

/// By whom.
#[derive(Args)]
pub struct Caller {
    /// A file with an access token
    #[arg(long)]
    token: PathBuf,
    /// For how long
    #[arg(long)]
    seconds: u64,
}

impl Caller {
    /// The token.
    pub fn token(&self) -> Result<String> {
        let text = fs::read_to_string(&self.token).context("the file with the token")?;
        Ok(text.trim().to_owned())
    }

    /// For how long.
    pub fn length(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

/// A client that gives an attempt up after ten seconds, as clients do.
pub fn client() -> Result<Client> {
    shared_runtime::base::tls::install_cryptography();
    Ok(Client::builder().no_proxy().timeout(Duration::from_secs(10)).build()?)
}
