//! `trust-svc witness`: serves a witness of other logs, or prints its key.

use std::{
    error::Error,
    io::{self, Write as _},
    path::PathBuf,
};

use shared_runtime::{PublicKey, Service, base::signing_key::KeyFile, service::Prepared};
use trust_log::tlog::{Cosigner, KeyName, VerifierKey};

use super::verifier_key::verifier_key;
use crate::witness::{self, Witness, own_database};

#[derive(Clone, clap::Args, Debug)]
pub struct WitnessArguments {
    #[command(subcommand)]
    command: Option<WitnessCommand>,
    /// The name of the witness, a part of its verifier key: a URL without its scheme, like witness.example.com/w1
    #[arg(long, env = "WITNESS_NAME", value_name = "NAME", global = true)]
    name: Option<KeyName>,
    /// File with its key: PKCS#8 PEM, Ed25519, used for nothing else. Made by `key` and by --new if it does not exist
    #[arg(long, env = "WITNESS_KEY", value_name = "FILE", default_value = "witness-key.pem", global = true)]
    key: PathBuf,
    /// The verifier key of a log to watch, or @FILE with it; repeat, or separate by commas, for more
    #[arg(long = "log", env = "WITNESS_LOGS", value_name = "KEY", value_delimiter = ',', value_parser = verifier_key)]
    logs: Vec<VerifierKey>,
    /// Only for the first start: store this key in the database, which must have none yet
    #[arg(long, env = "WITNESS_NEW")]
    new: bool,
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
        let witness = Witness::new(self.cosigner(self.new)?, self.logs.clone())?;
        let verifier_key = witness.cosigner().verifier_key();
        tracing::info!(%verifier_key, logs = self.logs.len(), "witness");
        let (own, is_new) = (PublicKey::try_from(*verifier_key.public_key())?, self.new);
        Ok(witness::service(witness).prepared(move |context| async move {
            own_database::require(&context, own, is_new).await?;
            Ok(Prepared::new(async {}))
        }))
    }

    pub fn print_key(&self) -> Result<(), Box<dyn Error>> {
        Ok(writeln!(io::stdout(), "{}", self.cosigner(true)?.verifier_key())?)
    }

    fn cosigner(&self, may_make: bool) -> Result<Cosigner, Box<dyn Error>> {
        let name = self.name.clone().ok_or("a witness needs a name: --name or WITNESS_NAME")?;
        let file = KeyFile::Generated(self.key.clone());
        // A lost key is not replaced in silence: the logs know the old one.
        let key = if may_make { file.read_or_make() } else { file.read() };
        Ok(Cosigner::new(name, key.map_err(|error| format!("WITNESS_KEY: {error}"))?))
    }
}
