//! `trust-svc audit`: computes a whole log again, for somebody who does not trust it.

use std::{
    collections::HashMap,
    error::Error,
    io::{self, Write as _},
    path::PathBuf,
};

use shared_model::text::printable;
use shared_runtime::{PublicKey, base::progress};
use trust_log::tlog::{Policy, SignedCheckpoint, VerifierKey, verify_checkpoint};

use super::{checkpoint_file, verifier_key::verifier_key};
use crate::{
    audit::{self, Audited, Finding, Signers, Source},
    model::KeyId,
};

#[derive(Clone, clap::Args, Debug)]
pub struct AuditArguments {
    /// Base URL of the service that has the log
    url: String,
    /// The log's verifier key, or @FILE with it [default: the key that the log serves, which proves less]
    #[arg(long, value_name = "KEY", value_parser = verifier_key)]
    log_key: Option<VerifierKey>,
    /// A witness's verifier key, or @FILE with it; repeat for more
    #[arg(long = "witness-key", value_name = "KEY", value_parser = verifier_key)]
    witness_keys: Vec<VerifierKey>,
    /// The number of these witnesses that must have cosigned the log [default: all]
    #[arg(long, value_name = "NUMBER")]
    witnesses: Option<usize>,
    /// File with an older checkpoint that the log must be consistent with
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,
    /// A signer's key id and public key; repeat for more [default: those that the service lists, which proves less]
    #[arg(long = "signer", value_name = "KEY_ID=KEY", value_parser = signer)]
    signers: Vec<(KeyId, PublicKey)>,
    /// Public base URL of the service that the signatures are for [default: the URL]
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
}

impl AuditArguments {
    /// Prints the checkpoint on standard output, to save for the next audit. Reports what was checked on standard
    /// error.
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
        // The older checkpoint may be from a time without witnesses, so it needs only the log's signature.
        let log_only = Policy::new(log_key.clone(), Vec::new(), 0)?;
        let policy = Policy::new(log_key, self.witness_keys, needed)?;
        let older = self.since.as_deref().map(checkpoint_file::read).transpose()?;
        if let Some(older) = &older {
            verify_checkpoint(older, &log_only).map_err(|error| Finding::at("the older checkpoint", error))?;
        }
        let signed = source.checkpoint().await?;
        verify_checkpoint(&signed, &policy).map_err(|error| Finding::at("the checkpoint", error))?;
        let keys = if self.signers.is_empty() {
            let listed = source.signers().await?;
            if listed.is_some() {
                say("not checked: whether the signers have the keys that the service lists (--signer)")?;
            }
            listed
        } else {
            Some(HashMap::from_iter(self.signers))
        };
        let base_url = self.base_url.unwrap_or(self.url).trim_end_matches('/').to_owned();
        let signers = keys.map(|keys| Signers { base_url, keys });

        let (checkpoint, has_signers) = (signed.checkpoint(), signers.is_some());
        let bar = progress::item_bar(checkpoint.size(), "entries");
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
            say(&format!("not checked: the content of {} other entries", entries - events))?;
        } else {
            say("not checked: signatures of events, because the service lists no signers (--signer)")?;
        }
        Ok(write!(io::stdout(), "{signed}")?)
    }
}

fn signer(argument: &str) -> Result<(KeyId, PublicKey), String> {
    // A key id may contain `=`. Base64 has it only as padding at the end, so the last one before the padding separates
    // the two.
    let body = argument.trim_end_matches('=');
    let at = body.rfind('=').ok_or("must be a key id, =, and the base64 of a public key or @FILE")?;
    let (key_id, key) = (&argument[..at], &argument[at + 1..]);
    Ok((key_id.parse()?, PublicKey::from_argument(key).map_err(|rule| rule.to_string())?))
}

fn say(line: &str) -> io::Result<()> {
    writeln!(io::stderr(), "{}", printable(line))
}
