//! Checks the hash and the signature of every event in the log.

use std::{collections::HashMap, sync::Arc, thread};

use futures_util::{StreamExt as _, stream};
use serde_json::Value;
use shared_model::{json, json_reader};
use shared_runtime::{Context, PublicKey};
use trust_log::merkle::HashRange;

use super::{
    mismatch::{CheckError, Mismatch},
    range,
};
use crate::{
    events::{Publication, publication::SignatureFlaw},
    log::store,
    model::KeyId,
    signers,
};

struct Signers {
    base_url: String,
    keys: HashMap<KeyId, PublicKey>,
}

/// Checks the first `size` entries, and returns how many are signed events. `progress` gets the number of entries of
/// each checked range.
pub async fn run(context: &Context, size: u64, progress: impl Fn(u64)) -> Result<u64, CheckError> {
    let all = context.read(|conn| Ok(signers::store::all(conn)?)).await?;
    let keys = all.into_iter().map(|signer| (signer.key_id, signer.public_key)).collect();
    let signers = Arc::new(Signers { base_url: context.base_url().to_owned(), keys });
    let starts = (0..size.div_ceil(range::RANGE)).map(|number| number * range::RANGE);
    let workers = thread::available_parallelism().map_or(1, usize::from).min(context.settings.connections).max(1);
    let mut checked = stream::iter(starts)
        .map(|start| {
            let (signers, count) = (Arc::clone(&signers), range::RANGE.min(size - start));
            async move {
                let range = HashRange { level: 0, start, count };
                let signed = context.read(move |conn| {
                    let entries = store::entries(conn, range)?;
                    Ok((start..).zip(&entries).map(|(index, (entry, _))| signers.check(index, entry)).sum())
                });
                let signed: Result<u64, Mismatch> = signed.await?;
                Ok::<_, CheckError>((count, signed?))
            }
        })
        .buffered(workers);
    let mut events = 0;
    while let Some(range) = checked.next().await {
        let (entries, signed) = range?;
        events += signed;
        progress(entries);
    }
    Ok(events)
}

impl Signers {
    /// Returns 1 for an event with a valid signature, 0 for another entry.
    fn check(&self, index: u64, entry: &[u8]) -> Result<u64, Mismatch> {
        let damaged = |what: String| Mismatch { place: format!("entry {index}"), what };
        let object = json::parse_object(entry).map_err(|malformed| damaged(format!("it {}", malformed.0)))?;
        if !object.contains_key("event") {
            return Ok(0);
        }
        let publication: Publication = json_reader::read(&Value::Object(object))
            .map_err(|_| damaged("it must be a signed event, and is not".to_owned()))?;
        let key_id = &publication.signer_key_id;
        // Revoked and retired signers are in the map too: their earlier events stay valid.
        let key = self.keys.get(key_id).ok_or_else(|| damaged(format!("there is no signer {key_id}")))?;
        let flaw = match publication.verify(key, &self.base_url) {
            Ok(()) => return Ok(1),
            Err(SignatureFlaw::OtherHash(hash)) => {
                format!("the event_hash must be {hash}, and is {}", publication.event_hash)
            }
            Err(_) => format!("the signature must be that of {key_id} for {}, the BASE_URL set now", self.base_url),
        };
        Err(damaged(flaw))
    }
}
