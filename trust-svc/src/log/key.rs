//! The key that signs checkpoints, and the name under which it does.

use shared_model::Failure;
use shared_runtime::{Context, PublicKey};

use super::head;
use crate::tlog::{KeyName, NoteSigner};

/// Where the log is, below the base URL: what its checkpoint and its tiles have before their paths (C2SP tlog-tiles).
pub const PREFIX: &str = "/wp-json/service-trust/v1/log";

/// The log's name, the origin of its checkpoints: the URL of the log without its scheme (C2SP tlog-tiles).
pub fn name(base_url: &str) -> Result<KeyName, Failure> {
    let url = format!("{base_url}{PREFIX}");
    let name = url.split_once("://").map_or(url.as_str(), |(_, name)| name);
    name.parse().map_err(|rule| Failure::fault(format!("BASE_URL: the name of the log, {name}, {rule}")))
}

/// The log's key with its name, as it was kept at the first start.
pub fn signer(context: &Context) -> Result<NoteSigner, Failure> {
    read(context, false)
}

/// The log's key with its name. The first start on a database keeps which key it is, and every later one refuses another:
/// receipts would be signed by a key that nobody knows.
pub async fn signer_of_start(context: &Context) -> Result<NoteSigner, Failure> {
    let known = context.read(|conn| Ok(head::public_key(conn)?)).await.map_err(failure)?;
    let signer = read(context, known.is_none())?;
    let own = *signer.verifier_key().public_key();
    let kept = match known {
        Some(kept) => kept,
        None => context.write(move |conn| Ok(keep(conn, &own)?)).await.map_err(failure)?,
    };
    if kept == *signer.verifier_key().public_key() {
        return Ok(signer);
    }
    let (own, place) = (signer.verifier_key().public_key(), context.db.place());
    Err(Failure::fault(format!(
        "LOG_SIGNING_KEY: the log in {place} is signed by the key {kept}, and this one is {own}"
    )))
}

/// Keeps the key unless another process was faster; the one that is kept.
fn keep(conn: &mut shared_runtime::Conn, own: &PublicKey) -> Result<PublicKey, Failure> {
    if let Some(kept) = head::public_key(conn)? {
        return Ok(kept);
    }
    head::put_public_key(conn, own)?;
    Ok(*own)
}

fn read(context: &Context, may_make: bool) -> Result<NoteSigner, Failure> {
    let needed = "LOG_SIGNING_KEY is needed with PostgreSQL: a file with an Ed25519 key in PKCS#8 PEM";
    let place = context.settings.log_signing_key.as_ref().ok_or_else(|| Failure::fault(needed))?;
    let key = if may_make { place.read_or_make() } else { place.read() };
    let key = key.map_err(|error| Failure::fault(format!("LOG_SIGNING_KEY: {error}")))?;
    Ok(NoteSigner::new(name(context.base_url())?, key))
}

/// Nothing here is refused.
fn failure(error: shared_model::Error) -> Failure {
    match error {
        shared_model::Error::Failed(failure) => failure,
        shared_model::Error::Refused(refusal) => Failure::fault(refusal.message),
    }
}
