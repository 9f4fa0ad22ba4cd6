//! `GET /api/v1/exports/{export}/manifest`: the signed manifest, as it was made when the export became ready.

use shared_model::{Error, Failure, code};
use shared_runtime::{
    Caller, Context,
    http::{
        arguments::Path,
        reply::{MediaType, Plain},
    },
};

use super::store;
use crate::{dsse::DsseEnvelope, ids::ExportId, permissions::CreateExports};

impl MediaType for DsseEnvelope {
    const MEDIA_TYPE: &'static str = "application/vnd.dsse.envelope.v1+json";
}

// Without `data` and `meta`: clients save the answer to a file, and verifiers expect a bare DSSE envelope.
pub async fn read_manifest(
    caller: Caller<CreateExports>,
    Path((id,)): Path<(ExportId,)>,
    context: Context,
) -> Result<Plain<DsseEnvelope>, Error> {
    let (owner, now) = (caller.subject.clone(), context.clock.now());
    let manifest = context
        .read(move |conn| {
            store::find_owned(conn, &owner, id)?.ok_or_else(code::not_found)?.into_ready(now)?;
            Ok(store::find_manifest(conn, id)?)
        })
        .await?;
    Ok(Plain::new(manifest.ok_or_else(|| Failure::fault("a ready export lacks its manifest"))?))
}
