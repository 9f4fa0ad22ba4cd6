//! The database of a witness has its key: with an empty database, an old key would cosign a second history.

use shared_model::Failure;
use shared_runtime::{Context, PublicKey};

use super::store;
use crate::log::key::{failure, store_key_once, stored_key};

/// Stores the key of a witness that `is_new`. Any other witness must find its key in the database, or checkpoints of an
/// earlier release, which stored no key.
pub async fn require(context: &Context, own: PublicKey, is_new: bool) -> Result<(), Failure> {
    let place = context.db.location();
    let found = context.read(|conn| Ok((stored_key(conn)?, store::has_cosigned(conn)?)));
    let (stored, has_cosigned) = found.await.map_err(failure)?;
    let stored = match stored {
        // Otherwise `--new` could stay in a script, and a later empty database would count as new.
        Some(stored) if is_new && stored == own => {
            let why = format!("the witness in {place} is not new: start it without --new and WITNESS_NEW");
            return Err(Failure::fault(why));
        }
        Some(stored) => stored,
        None if is_new || has_cosigned => {
            context.write(move |conn| Ok(store_key_once(conn, &own)?)).await.map_err(failure)?
        }
        None => {
            return Err(Failure::fault(format!(
                "WITNESS_KEY: {place} has no key of a witness, but this key, {own}, may have cosigned with another \
                 database. If the witness is new, start it once with --new. If its database is lost, make a new key \
                 under a new name"
            )));
        }
    };
    if stored == own {
        return Ok(());
    }
    Err(Failure::fault(format!("WITNESS_KEY: the key of the witness in {place} is {stored}, but this key is {own}")))
}
