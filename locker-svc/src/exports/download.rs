//! `GET /downloads/{token}`: one part, or a range of it, for anyone with the link.
//! The link is checked when the request arrives; a download may take longer than the link is valid.

use shared_model::{Error, Failure, Refusal};
use shared_runtime::{
    Anyone, Context, Counted, Download,
    http::{
        arguments::Path,
        download::{LinkToken, RangeRequest, Representation},
    },
    state::blobs::{Check, Piece},
};

use super::{
    export::{ExportPart, ReadyExport, part_content_type, part_file_name},
    link::SignedLink,
    store,
};
use crate::codes;

/// The bytes, or the same 404 for every invalid link.
pub async fn download(
    _: Anyone,
    Path((LinkToken(token),)): Path<(LinkToken,)>,
    range: RangeRequest,
    counted: Counted,
    context: Context,
) -> Result<Download, Error> {
    let now = context.clock.now();
    let link = SignedLink::verify(&token, &context.secret, now).ok_or_else(invalid)?;
    // A link must not outlive the grant of the token that requested it.
    if context.verifier.is_revoked(&link.access_grant).await? {
        return Err(invalid().into());
    }
    counted.to_grant(&link.access_grant)?;
    let (id, index) = (link.export_id, link.part);
    let (export, part) =
        context.look_up(move |conn| Ok(store::find_part(conn, id, index)?)).await?.ok_or_else(invalid)?;
    // Revoking the export raises its epoch, so links need no table to be voided.
    if export.epoch != link.epoch {
        return Err(invalid().into());
    }
    let ready = match export.into_ready(now) {
        // Only the owner may learn why the export cannot be downloaded; anyone may hold a link.
        Err(Error::Refused(_)) => return Err(invalid().into()),
        outcome => outcome?,
    };
    let whole = representation(&ready, &part)?;
    let blob = Piece { key: part.blob_key, bytes: whole.bytes, check: Check::Digest(whole.sha256) };
    Download::from_blobs(&context.blobs, vec![blob], &whole, &range).await
}

fn representation(ready: &ReadyExport, part: &ExportPart) -> Result<Representation, Failure> {
    let (export, count) = (&ready.export, ready.part_count);
    let mut sha256 = [0; 32];
    hex::decode_to_slice(&part.sha256, &mut sha256)
        .map_err(|_| Failure::fault("the hash of a part is not hexadecimal"))?;
    Ok(Representation {
        bytes: u64::try_from(part.bytes).map_err(|_| Failure::fault("a part of negative length"))?,
        sha256,
        content_type: part_content_type(&export.content_type, count).to_owned(),
        file_name: part_file_name(&export.file_name, part.index, count),
    })
}

fn invalid() -> Refusal {
    codes::GRANT_INVALID.refusal()
}
