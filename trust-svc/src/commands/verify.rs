//! `trust-svc verify`: shows what a receipt proves, with only files and keys.

use std::{
    error::Error,
    fs::File,
    io::{self, Read, Write as _},
    path::{Path, PathBuf},
};

use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};
use shared_model::{Timestamp, json, json_reader, text::printable};
use shared_runtime::PublicKey;
use trust_log::{
    canonical,
    tlog::{Policy, Receipt, VerifierKey, verify::Cosigned, verify_receipt},
};

use super::verifier_key::verifier_key;
use crate::{
    events::{Publication, publication::SignatureFlaw},
    model::EventHash,
};

// More than the largest answer: a receipt with an event.
const MAX_BYTES: usize = 1024 * 1024;

#[derive(Clone, clap::Args, Debug)]
pub struct VerifyArguments {
    /// File with the service's answer (JSON with data.receipt, and for witnesses data.cosigned_receipt), or with only the
    /// receipt; - for standard input
    answer: PathBuf,
    /// File with the published body; not needed if the answer has the event. - for standard input
    body: Option<PathBuf>,
    /// The log's verifier key, or @FILE with it, like @log.key
    #[arg(long, value_name = "KEY", value_parser = verifier_key)]
    log_key: VerifierKey,
    /// A witness's verifier key, or @FILE with it; repeat for more
    #[arg(long = "witness-key", value_name = "KEY", value_parser = verifier_key)]
    witness_keys: Vec<VerifierKey>,
    /// The number of these witnesses that must have cosigned the log [default: all]
    #[arg(long, value_name = "NUMBER")]
    witnesses: Option<usize>,
    /// The signer's public key, to check its signature too: base64 of its 32 bytes, or @FILE with base64 or PEM
    #[arg(long, value_name = "KEY", value_parser = PublicKey::from_argument, requires = "base_url")]
    signer_key: Option<PublicKey>,
    /// Public base URL of the service that the signature is for
    #[arg(long, value_name = "URL", requires = "signer_key")]
    base_url: Option<String>,
}

impl VerifyArguments {
    /// Prints one line for each check, and for each check that was left out.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let needed = self.witnesses.unwrap_or(self.witness_keys.len());
        let has_witnesses = !self.witness_keys.is_empty();
        let policy = Policy::new(self.log_key, self.witness_keys, needed)?;
        let Evidence { receipt, body } = Evidence::read(&self.answer, self.body.as_deref(), has_witnesses)?;

        let proven = verify_receipt(&receipt, canonical::object_text(&body).as_bytes(), &policy)?;
        let checkpoint = proven.checkpoint;
        say(&format!(
            "verified: the log {} has signed a checkpoint of {} entries",
            checkpoint.origin(),
            checkpoint.size()
        ))?;
        for Cosigned { by, seconds } in &proven.cosigned {
            let at = Timestamp::from_seconds(i64::try_from(*seconds)?);
            say(&format!("verified: the witness {by} has cosigned it, at {at}"))?;
        }
        say(&format!("verified: the entry is the one at index {}", proven.index))?;

        let Ok(publication) = json_reader::read::<Publication>(&Value::Object(body)) else {
            return Ok(say("not checked: the content of the entry, because it is not a signed event")?);
        };
        verify_event(&publication, self.signer_key.as_ref(), self.base_url.as_deref().unwrap_or_default())
    }
}

/// Checks the hash of the event, and the signature if the signer's key was given.
fn verify_event(publication: &Publication, key: Option<&PublicKey>, base_url: &str) -> Result<(), Box<dyn Error>> {
    let Publication { event, event_hash, signer_key_id, .. } = publication;
    let hash = EventHash::from_event(event);
    if hash != *event_hash {
        return Err(format!("the event_hash must be the hash of the event, {hash}, and is {event_hash}").into());
    }
    say(&format!("verified: the event has the hash {hash}"))?;
    let Some(key) = key else {
        return Ok(say(&format!("not checked: the signature by {signer_key_id} (--signer-key and --base-url)"))?);
    };
    let base_url = base_url.trim_end_matches('/');
    if let Err(flaw) = publication.verify_signature(key, base_url) {
        let rule = format!("the signature must be by the given key, as {signer_key_id}, for {base_url}");
        let SignatureFlaw::Invalid { signed_text } = flaw else { return Err(rule.into()) };
        return Err(format!("{rule}: it is not, over the text {}", Value::from(signed_text)).into());
    }
    Ok(say(&format!("verified: {signer_key_id} has signed the event, for {base_url}"))?)
}

/// The input of the command: the claim that the log has this body.
struct Evidence {
    receipt: Receipt,
    body: Map<String, Value>,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    data: Data,
}

#[derive(Default, Deserialize)]
struct Data {
    receipt: Option<String>,
    cosigned_receipt: Option<String>,
    event: Option<Box<RawValue>>,
    event_hash: Option<Value>,
    signer_key_id: Option<Value>,
    signature: Option<Value>,
}

impl Evidence {
    /// With the cosigned receipt of the answer, if `has_witnesses` and it has one.
    fn read(answer: &Path, body: Option<&Path>, has_witnesses: bool) -> Result<Self, String> {
        if body == Some(answer) {
            return Err("the answer and the body must be two files".to_owned());
        }
        let of = |path: &Path, error: String| format!("{}: {error}", named(path));
        let bytes = read(answer)?;
        // An answer is JSON; a receipt begins with the name of its format.
        let (receipt, in_answer) = if bytes.trim_ascii_start().starts_with(b"{") {
            let malformed = |error| of(answer, format!("must be an answer of the service: {error}"));
            let Answer { mut data } = serde_json::from_slice(&bytes).map_err(malformed)?;
            let cosigned = data.cosigned_receipt.take().filter(|_| has_witnesses);
            let receipt = cosigned.or_else(|| data.receipt.take());
            let receipt = receipt.ok_or_else(|| of(answer, "must have data.receipt".to_owned()))?;
            (receipt.into_bytes(), data.body().map_err(|error| of(answer, error))?)
        } else {
            (one_newline(bytes), None)
        };
        let receipt = Receipt::parse(&receipt).map_err(|malformed| of(answer, malformed.to_string()))?;
        let body = match body {
            Some(path) => json::parse_object(&read(path)?).map_err(|malformed| of(path, malformed.0))?,
            None => in_answer.ok_or("the answer has no event: add the file with the published body")?,
        };
        Ok(Self { receipt, body })
    }
}

impl Data {
    /// The published body, if the answer has all of it.
    fn body(self) -> Result<Option<Map<String, Value>>, String> {
        let Some(event) = self.event else { return Ok(None) };
        let event = json::parse(event.get().as_bytes()).map_err(|malformed| format!("the event {}", malformed.0))?;
        let members = [
            ("event", Some(event)),
            ("event_hash", self.event_hash),
            ("signer_key_id", self.signer_key_id),
            ("signature", self.signature),
        ];
        Ok(members.into_iter().map(|(name, value)| Some((name.to_owned(), value?))).collect())
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let of = |error: io::Error| format!("{}: {error}", named(path));
    let source: Box<dyn Read> =
        if path == Path::new("-") { Box::new(io::stdin()) } else { Box::new(File::open(path).map_err(of)?) };
    let mut bytes = Vec::new();
    source.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(of)?;
    if bytes.len() > MAX_BYTES {
        return Err(format!("{}: must have at most {MAX_BYTES} bytes", named(path)));
    }
    Ok(bytes)
}

/// Editors and shells add newlines at the end of a file. No receipt ends with two.
fn one_newline(mut bytes: Vec<u8>) -> Vec<u8> {
    while bytes.ends_with(b"\n\n") {
        bytes.pop();
    }
    bytes
}

fn named(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

fn say(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{}", printable(line))
}
