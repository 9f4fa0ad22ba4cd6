//! `trust-svc witness`: serves a witness of other logs, or prints its key.

use std::{
    error::Error,
    io::{self, Write as _},
    path::PathBuf,
};

use shared_runtime::{Service, base::signing_key::KeyFile};
use trust_log::tlog::{Cosigner, KeyName, VerifierKey};

use super::verifier_key::verifier_key;
use crate::witness::{self, Witness};

#[derive(Clone, clap::Args, Debug)]
pub struct WitnessArguments {
    #[command(subcommand)]
    command: Option<WitnessCommand>,
    /// The name of the witness, a part of its verifier key: a URL without its scheme, like witness.example.com/w1
    #[arg(long, env = "WITNESS_NAME", value_name = "NAME", global = true)]
    name: Option<KeyName>,
    /// File with its key: PKCS#8 PEM, Ed25519, used for nothing else. Made if the file does not exist
    #[arg(long, env = "WITNESS_KEY", value_name = "FILE", default_value = "witness-key.pem", global = true)]
    key: PathBuf,
    /// The verifier key of a log to watch, or @FILE with it; repeat, or separate by commas, for more
    #[arg(long = "log", env = "WITNESS_LOGS", value_name = "KEY", value_delimiter = ',', value_parser = verifier_key)]
    logs: Vec<VerifierKey>,
}

#[derive(Clone, Copy, clap::Subcommand, Debug)]
enum WitnessCommand {
    /// Print the verifier key of the witness, for the logs and for everyone who verifies receipts
    Key,
}

impl WitnessArguments {
    /// Without a subcommand the witness is served.
    pub fn is_served(&self) -> bool {
        self.command.is_none()
    }

    pub fn service(&self) -> Result<Service, Box<dyn Error>> {
        let witness = Witness::new(self.cosigner()?, self.logs.clone())?;
        tracing::info!(verifier_key = %witness.cosigner().verifier_key(), logs = self.logs.len(), "witness");
        Ok(witness::service(witness))
    }

    pub fn print_key(&self) -> Result<(), Box<dyn Error>> {
        Ok(writeln!(io::stdout(), "{}", self.cosigner()?.verifier_key())?)
    }

    fn cosigner(&self) -> Result<Cosigner, Box<dyn Error>> {
        let name = self.name.clone().ok_or("a witness needs a name: --name or WITNESS_NAME")?;
        Ok(Cosigner::new(name, KeyFile::Generated(self.key.clone()).read_or_make()?))
    }
}
