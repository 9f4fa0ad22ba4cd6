//! The key that signs checkpoints, and the name of the log.

use diesel::prelude::*;
use shared_model::{Error, Failure};
use shared_runtime::{Conn, Context, PublicKey};
use trust_log::tlog::{KeyName, NoteSigner};

use crate::tables::log_head;

/// The path of the log. C2SP tlog-tiles puts the paths of tiles and checkpoint below one prefix.
pub const PREFIX: &str = "/wp-json/service-trust/v1/log";

/// The log's name and the origin of its checkpoints: its URL without the scheme (C2SP tlog-tiles).
pub fn name(base_url: &str) -> Result<KeyName, Failure> {
    let url = format!("{base_url}{PREFIX}");
    let name = url.split_once("://").map_or(url.as_str(), |(_, name)| name);
    name.parse().map_err(|rule| Failure::fault(format!("BASE_URL: the name of the log, {name}, {rule}")))
}

/// Reads the log's key. Unlike [`signer_at_start`] it never makes one and does not compare it with the database.
pub fn signer(context: &Context) -> Result<NoteSigner, Failure> {
    read_signer(context, false)
}

/// Reads the log's key, or makes it at the first start on a database. A start with another key fails.
pub async fn signer_at_start(context: &Context) -> Result<NoteSigner, Failure> {
    let stored = context.read(|conn| Ok(stored_key(conn)?)).await.map_err(failure)?;
    // A key is made only for a new log. For a log that has a key already, a lost key file must not be replaced in
    // silence.
    let signer = read_signer(context, stored.is_none())?;
    let own = PublicKey::try_from(*signer.verifier_key().public_key()).map_err(Failure::fault)?;
    let stored = match stored {
        Some(stored) => stored,
        None => context.write(move |conn| Ok(store_key_once(conn, &own)?)).await.map_err(failure)?,
    };
    if stored == own {
        return Ok(signer);
    }
    // Receipts under another key would fail for everyone who saved the log's key.
    let place = context.db.location();
    Err(Failure::fault(format!("LOG_SIGNING_KEY: the key of the log in {place} is {stored}, but this key is {own}")))
}

fn read_signer(context: &Context, may_make: bool) -> Result<NoteSigner, Failure> {
    let needed = "LOG_SIGNING_KEY is needed with PostgreSQL: a file with an Ed25519 key in PKCS#8 PEM";
    let place = context.settings.log_signing_key.as_ref().ok_or_else(|| Failure::fault(needed))?;
    let key = if may_make { place.read_or_make() } else { place.read() };
    let key = key.map_err(|error| Failure::fault(format!("LOG_SIGNING_KEY: {error}")))?;
    Ok(NoteSigner::new(name(context.base_url())?, key))
}

/// The key that this database belongs to: a log's, or a witness's.
pub fn stored_key(conn: &mut Conn) -> Result<Option<PublicKey>, Failure> {
    Ok(log_head::table.find(1).select(log_head::public_key).first(conn)?)
}

/// Stores the key if there is none, and returns the stored one.
// Two processes may start at once on a new database: the first one's key counts, and the other one's start fails.
pub fn store_key_once(conn: &mut Conn, own: &PublicKey) -> Result<PublicKey, Failure> {
    if let Some(stored) = stored_key(conn)? {
        return Ok(stored);
    }
    diesel::update(log_head::table.find(1)).set(log_head::public_key.eq(Some(own))).execute(conn)?;
    Ok(*own)
}

// No query here refuses, but the runtime's error type can.
pub fn failure(error: Error) -> Failure {
    match error {
        Error::Failed(failure) => failure,
        Error::Refused(refusal) => Failure::fault(refusal.message),
    }
}
