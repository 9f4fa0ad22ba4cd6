//! `trust-svc audit`: a whole log, computed again by somebody who does not trust it.

use std::{
    collections::HashMap,
    error::Error,
    io::{self, Write as _},
    path::PathBuf,
};

use shared_model::text::printable;
use shared_runtime::{PublicKey, base::progress};

use super::{checkpoint_file, verifier_key::verifier_key};
use crate::{
    audit::{self, Audited, Finding, Signers, Source},
    signers::KeyId,
    tlog::{Policy, SignedCheckpoint, VerifierKey, verify_checkpoint},
};

/// Audits a log.
#[derive(Clone, clap::Args, Debug)]
pub struct AuditArguments {
    /// Base URL of the service that has the log
    url: String,
    /// The log's verifier key, or @FILE with it [default: the one that the log serves, which proves less]
    #[arg(long, value_name = "KEY", value_parser = verifier_key)]
    log_key: Option<VerifierKey>,
    /// A witness's verifier key, or @FILE with it; again for more
    #[arg(long = "witness-key", value_name = "KEY", value_parser = verifier_key)]
    witness_keys: Vec<VerifierKey>,
    /// How many of these witnesses must have cosigned the log [default: all]
    #[arg(long, value_name = "NUMBER")]
    witnesses: Option<usize>,
    /// File with an older checkpoint, which the log must still be consistent with
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,
    /// A signer's key id and public key; again for more [default: the signers that the service lists]
    #[arg(long = "signer", value_name = "KEY_ID=KEY", value_parser = signer)]
    signers: Vec<(KeyId, PublicKey)>,
    /// Public base URL of the service, which the signatures are bound to [default: the URL]
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
}

impl AuditArguments {
    /// Prints the checkpoint, to be kept for the next audit, and on standard error what was checked.
    pub async fn run(self) -> Result<(), Box<dyn Error>> {
        let source = Source::new(&self.url)?;
        let log_key = match self.log_key {
            Some(key) => key,
            None => {
                let key = source.key().await?;
                say(&format!("not checked: whether the log's key is {key} (--log-key)"))?;
                key
            }
        };
        let needed = self.witnesses.unwrap_or(self.witness_keys.len());
        // What was kept may be from before there were witnesses.
        let alone = Policy::new(log_key.clone(), Vec::new(), 0)?;
        let policy = Policy::new(log_key, self.witness_keys, needed)?;
        let older = self.since.as_deref().map(checkpoint_file::read).transpose()?;
        if let Some(older) = &older {
            verify_checkpoint(older, &alone).map_err(|error| Finding::at("the older checkpoint", error))?;
        }
        let signed = source.checkpoint().await?;
        verify_checkpoint(&signed, &policy).map_err(|error| Finding::at("the checkpoint", error))?;
        let keys =
            if self.signers.is_empty() { source.signers().await? } else { Some(HashMap::from_iter(self.signers)) };
        let base_url = self.base_url.unwrap_or(self.url).trim_end_matches('/').to_owned();
        let signers = keys.map(|keys| Signers { base_url, keys });

        let (checkpoint, has_signers) = (signed.checkpoint(), signers.is_some());
        let bar = progress::count(checkpoint.size());
        let older = older.as_ref().map(SignedCheckpoint::checkpoint);
        let walked = audit::walk(&source, checkpoint, older, signers, |entries| bar.set_position(entries)).await;
        bar.finish_and_clear();
        let Audited { entries, events } = walked?;
        say(&format!("verified: the {entries} entries of {}, all tiles, and the root", checkpoint.origin()))?;
        if let Some(older) = older {
            say(&format!("verified: the log begins with the {} entries of the older checkpoint", older.size()))?;
        }
        if has_signers {
            say(&format!("verified: the signatures of {events} events"))?;
            say(&format!("not checked: what {} other entries say", entries - events))?;
        } else {
            say("not checked: signatures of events, since the service lists no signers (--signer)")?;
        }
        Ok(write!(io::stdout(), "{signed}")?)
    }
}

fn signer(argument: &str) -> Result<(KeyId, PublicKey), String> {
    // A key id may have the sign itself; a key has it at its end only.
    let body = argument.trim_end_matches('=');
    let at = body.rfind('=').ok_or("must be a key id, =, and the base64 of a public key or @FILE")?;
    let (key_id, key) = (&argument[..at], &argument[at + 1..]);
    Ok((key_id.parse()?, PublicKey::from_argument(key).map_err(|rule| rule.to_string())?))
}

fn say(line: &str) -> io::Result<()> {
    writeln!(io::stderr(), "{}", printable(line))
}
