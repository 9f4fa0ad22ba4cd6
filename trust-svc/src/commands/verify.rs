//! `trust-svc verify`: from a receipt to what it proves, with nothing but files and keys.

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

use super::verifier_key::verifier_key;
use crate::{
    canonical::{self, EventHash},
    events::publish::Publication,
    signing,
    tlog::{Policy, Receipt, VerifierKey, verify::Cosigned, verify_receipt},
};

/// Bytes of a file at most: a receipt, with an event and what else an answer has.
const MAX_BYTES: usize = 1024 * 1024;

/// Verifies that an event was published.
#[derive(Clone, clap::Args, Debug)]
pub struct VerifyArguments {
    /// File with the service's answer (JSON with data.receipt), or with the receipt alone; - for standard input
    answer: PathBuf,
    /// File with the body that was published; not needed when the answer has the event. - for standard input
    body: Option<PathBuf>,
    /// The log's verifier key, or @FILE with it, like @log.key
    #[arg(long, value_name = "KEY", value_parser = verifier_key)]
    log_key: VerifierKey,
    /// A witness's verifier key, or @FILE with it; again for more
    #[arg(long = "witness-key", value_name = "KEY", value_parser = verifier_key)]
    witness_keys: Vec<VerifierKey>,
    /// How many of these witnesses must have cosigned the log [default: all]
    #[arg(long, value_name = "NUMBER")]
    witnesses: Option<usize>,
    /// The signer's public key, to check its signature too: base64 of its 32 bytes, or @FILE with that or PEM
    #[arg(long, value_name = "KEY", value_parser = PublicKey::from_argument, requires = "base_url")]
    signer_key: Option<PublicKey>,
    /// Public base URL of the service, which the signature is bound to
    #[arg(long, value_name = "URL", requires = "signer_key")]
    base_url: Option<String>,
}

impl VerifyArguments {
    /// Prints a line for each thing that was checked, and for what was not.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let needed = self.witnesses.unwrap_or(self.witness_keys.len());
        let policy = Policy::new(self.log_key, self.witness_keys, needed)?;
        let Evidence { receipt, body } = Evidence::read(&self.answer, self.body.as_deref())?;

        let proven = verify_receipt(&receipt, canonical::text(&body).as_bytes(), &policy)?;
        let checkpoint = proven.checkpoint;
        say(&format!(
            "verified: the log {} has signed that it has {} entries",
            checkpoint.origin(),
            checkpoint.size()
        ))?;
        for Cosigned { by, seconds } in &proven.cosigned {
            let at = Timestamp::from_seconds(i64::try_from(*seconds)?);
            say(&format!("verified: the witness {by} has seen that, by {at}"))?;
        }
        say(&format!("verified: the entry is the one at index {}", proven.index))?;

        let Ok(publication) = json_reader::read::<Publication>(&Value::Object(body)) else {
            return Ok(say("not checked: what the entry says, since it is no signed event")?);
        };
        verify_event(&publication, self.signer_key.as_ref(), self.base_url.as_deref().unwrap_or_default())
    }
}

/// Checks the hash of the event, and the signature if the signer's key is known.
fn verify_event(publication: &Publication, key: Option<&PublicKey>, base_url: &str) -> Result<(), Box<dyn Error>> {
    let Publication { event, event_hash, signer_key_id, signature } = publication;
    let hash = EventHash::of(&canonical::text(event));
    if hash != *event_hash {
        return Err(format!("the event_hash must be that of the event, {hash}, and is {event_hash}").into());
    }
    say(&format!("verified: the event has the hash {hash}"))?;
    let Some(key) = key else {
        return Ok(say(&format!("not checked: the signature by {signer_key_id} (--signer-key and --base-url)"))?);
    };
    let base_url = base_url.trim_end_matches('/');
    let signed = signing::text(base_url, signer_key_id.as_str(), &hash);
    if !signature.is_some_and(|signature| signing::is_valid(key, &signed, &signature)) {
        let rule = format!("the signature must be that of the given key, as {signer_key_id}, for {base_url}");
        return Err(format!("{rule}: it is not, over the text {}", Value::from(signed)).into());
    }
    Ok(say(&format!("verified: {signer_key_id} has signed the event, for {base_url}"))?)
}

/// What is to be verified: that the log has this body.
struct Evidence {
    receipt: Receipt,
    body: Map<String, Value>,
}

/// An answer of the service, as far as it is evidence.
#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    data: Data,
}

#[derive(Default, Deserialize)]
struct Data {
    receipt: Option<String>,
    event: Option<Box<RawValue>>,
    event_hash: Option<Value>,
    signer_key_id: Option<Value>,
    signature: Option<Value>,
}

impl Evidence {
    fn read(answer: &Path, body: Option<&Path>) -> Result<Self, String> {
        if body == Some(answer) {
            return Err("the answer and the body must be two files".to_owned());
        }
        let of = |path: &Path, error: String| format!("{}: {error}", named(path));
        let bytes = read(answer)?;
        let (receipt, in_answer) = if bytes.trim_ascii_start().starts_with(b"{") {
            let malformed = |error| of(answer, format!("must be an answer of the service: {error}"));
            let Answer { mut data } = serde_json::from_slice(&bytes).map_err(malformed)?;
            let receipt = data.receipt.take().ok_or_else(|| of(answer, "must have data.receipt".to_owned()))?;
            (receipt.into_bytes(), data.body().map_err(|error| of(answer, error))?)
        } else {
            (bytes, None)
        };
        let receipt = Receipt::parse(&receipt).map_err(|malformed| of(answer, malformed.to_string()))?;
        let body = match body {
            Some(path) => json::parse_object(&read(path)?).map_err(|malformed| of(path, malformed.0))?,
            None => {
                in_answer.ok_or("the answer has no event: give the file with the body that was published as well")?
            }
        };
        Ok(Self { receipt, body })
    }
}

impl Data {
    /// The body that was published, if all of it is in the answer.
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

/// The bytes of a file, or of standard input.
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

fn named(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

fn say(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{}", printable(line))
}
