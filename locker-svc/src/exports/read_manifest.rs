//! `GET /api/v1/exports/{export}/manifest`: the signed manifest, as it was made when the export became ready.

use shared_runtime::{Caller, Desk, Halt, Refusal, answer::Plain, arguments::Path};

use super::{list_parts::CreateExports, store};
use crate::ids::ExportId;

/// The envelope itself, without ours around it: it is a file to be kept beside the parts.
pub async fn read_manifest(
    caller: Caller<CreateExports>,
    Path((id,)): Path<(ExportId,)>,
    desk: Desk,
) -> Result<Plain, Halt> {
    let (owner, now) = (caller.subject.clone(), desk.clock.now());
    let ready = desk
        .read(move |conn| store::find_owned(conn, &owner, id)?.ok_or_else(Refusal::not_found)?.into_ready(now))
        .await?;
    Ok(Plain::new("application/vnd.dsse.envelope.v1+json", ready.manifest))
}
