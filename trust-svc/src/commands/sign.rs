//! `trust-svc sign`: makes a body that is ready to publish from an event and a key.

use std::{
    error::Error,
    fs,
    io::{self, Write as _},
    path::PathBuf,
};

use serde_json::Value;
use shared_model::{Problem, Timestamp, json, json_reader::read_with, problem};
use shared_runtime::base::signing_key;

use crate::{
    events::Publication,
    model::{Event, KeyId, check_numbers},
};

#[derive(Clone, clap::Args, Debug)]
pub struct SignArguments {
    /// File with the event, one JSON object
    event: PathBuf,
    /// File with the signing key: PKCS#8 PEM, Ed25519 (openssl genpkey -algorithm ed25519)
    #[arg(long)]
    key: PathBuf,
    /// The key id of the signer at the service
    #[arg(long)]
    key_id: KeyId,
    /// Public base URL of the service that the signature is for
    #[arg(long, env = "BASE_URL", default_value = "http://127.0.0.1:8084")]
    base_url: String,
}

impl SignArguments {
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let Self { event, key, key_id, base_url } = self;
        let key = signing_key::read(&key)?;
        let bytes = fs::read(&event).map_err(|error| format!("{}: {error}", event.display()))?;
        let map = json::parse_object(&bytes).map_err(|malformed| format!("{}: {}", event.display(), malformed.0))?;
        let value = Value::Object(map);
        check(&value).map_err(|problems| problem::describe(&problems))?;
        let Value::Object(map) = value else { return Err("the event is not an object".into()) };
        let body = Publication::sign(&map, &key, key_id.as_str(), base_url.trim_end_matches('/'));
        Ok(writeln!(io::stdout(), "{body}")?)
    }
}

/// Finds the problems that the service would refuse at any time.
fn check(event: &Value) -> Result<(), Vec<Problem>> {
    // Read as of its own time: the age is checked when the event is published, which may be later.
    let issued_at = event["issued_at"].as_str().and_then(Timestamp::parse);
    let mut problems = Event::read(event, issued_at.unwrap_or(Timestamp::from_seconds(0))).err().unwrap_or_default();
    if let Err(numbers) = read_with(event, check_numbers) {
        problems.extend(numbers.into_iter().map(|Problem { at, rule }| Problem { at: format!("/event{at}"), rule }));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
