//! Checking every signature in the log again, and that every event has the hash that it says.

use std::{collections::HashMap, sync::Arc, thread};

use futures_util::{StreamExt as _, stream};
use serde_json::Value;
use shared_model::{json, json_reader};
use shared_runtime::{Context, PublicKey};

use super::{
    mismatch::{CheckError, Mismatch},
    range,
};
use crate::{
    canonical::{self, EventHash},
    events::publish::Publication,
    log::store,
    merkle::HashRange,
    signers::{self, KeyId},
    signing,
};

/// What the signatures are checked with.
struct Signers {
    base_url: String,
    keys: HashMap<KeyId, PublicKey>,
}

/// Checks the first `size` entries; how many of them are signed events. `progress` is called with numbers of entries
/// that are checked.
pub async fn run(context: &Context, size: u64, progress: impl Fn(u64)) -> Result<u64, CheckError> {
    let all = context.read(|conn| Ok(signers::store::all(conn)?)).await?;
    let keys = all.into_iter().map(|signer| (signer.key_id, signer.public_key)).collect();
    let signers = Arc::new(Signers { base_url: context.base_url().to_owned(), keys });
    let starts = (0..size.div_ceil(range::ENTRIES)).map(|number| number * range::ENTRIES);
    let workers = thread::available_parallelism().map_or(1, usize::from).min(context.settings.connections).max(1);
    let mut checked = stream::iter(starts)
        .map(|start| {
            let (signers, count) = (Arc::clone(&signers), range::ENTRIES.min(size - start));
            async move {
                let range = HashRange { level: 0, start, count };
                let signed = context.read(move |conn| {
                    let entries = store::entries(conn, range)?;
                    Ok((start..).zip(&entries).map(|(index, entry)| signers.check(index, entry)).sum())
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
    /// 1 for an event whose signature holds, 0 for an entry of another kind.
    fn check(&self, index: u64, entry: &[u8]) -> Result<u64, Mismatch> {
        let damaged = |what: String| Mismatch { place: format!("entry {index}"), what };
        let object = json::parse_object(entry).map_err(|malformed| damaged(format!("it {}", malformed.0)))?;
        if !object.contains_key("event") {
            return Ok(0);
        }
        let publication = json_reader::read::<Publication>(&Value::Object(object));
        let Publication { event, event_hash, signer_key_id, signature } =
            publication.map_err(|_| damaged("it must be a signed event, and is none".to_owned()))?;
        let hash = EventHash::of(&canonical::text(&event));
        if hash != event_hash {
            return Err(damaged(format!("the event_hash must be {hash}, and is {event_hash}")));
        }
        let key = self.keys.get(&signer_key_id);
        let key = key.ok_or_else(|| damaged(format!("there is no signer {signer_key_id}")))?;
        let signed = signing::text(&self.base_url, signer_key_id.as_str(), &hash);
        match signature {
            Some(signature) if signing::is_valid(key, &signed, &signature) => Ok(1),
            _ => Err(damaged(format!("the signature must be that of {signer_key_id} for {}", self.base_url))),
        }
    }
}
