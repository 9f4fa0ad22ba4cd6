//! `GET /api/v1/exports/{export}/manifest`: the signed manifest, as it was made when the export became ready.

use shared_model::{Error, code};
use shared_runtime::{
    Caller, Context,
    http::{
        arguments::Path,
        reply::{MediaType, Plain},
    },
};

use super::{list_parts::CreateExports, store};
use crate::{dsse::DsseEnvelope, ids::ExportId};

impl MediaType for DsseEnvelope {
    const MEDIA_TYPE: &'static str = "application/vnd.dsse.envelope.v1+json";
}

/// The DSSE envelope as it is, without the usual `data` around it: clients save it beside the parts.
pub async fn read_manifest(
    caller: Caller<CreateExports>,
    Path((id,)): Path<(ExportId,)>,
    context: Context,
) -> Result<Plain<DsseEnvelope>, Error> {
    let (owner, now) = (caller.subject.clone(), context.clock.now());
    let ready = context
        .read(move |conn| store::find_owned(conn, &owner, id)?.ok_or_else(code::not_found)?.into_ready(now))
        .await?;
    Ok(Plain::new(ready.manifest))
}
