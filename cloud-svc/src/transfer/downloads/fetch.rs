//! `GET /v1/downloads/{token}`: the bytes of a file, or a range of them, for the holder of the link.

use shared_model::{Error, Refusal};
use shared_runtime::{
    Anyone, Conn, Context, Counted, Download, Path,
    http::download::{LinkToken, RangeRequest},
};

use super::{
    link::DownloadLink,
    source::{Source, kept},
};
use crate::{
    base::{codes, owner::Owner},
    files,
};

// Each mistake gets the same 404, so that a link tells nothing about the file. The link is checked once: a download
// that has begun may last longer than the link.
pub async fn fetch(
    _: Anyone,
    Path((LinkToken(token),)): Path<(LinkToken,)>,
    wanted: RangeRequest,
    counted: Counted,
    context: Context,
) -> Result<Download, Error> {
    let link = DownloadLink::verify(&token, &context.secret, context.clock.now()).ok_or_else(invalid)?;
    // Revoking a grant must also end its links.
    if context.verifier.is_revoked(&link.access_grant).await? {
        return Err(invalid().into());
    }
    counted.to_grant(&link.access_grant)?;
    let DownloadLink { owner, file, version, form, access_grant, .. } = link;
    // The limits of an agent may have changed since the link was made.
    let owner = Owner::of_grant(owner, &access_grant);
    let find = move |conn: &mut Conn| {
        let file = files::store::find(conn, owner, file)?.ok_or_else(invalid)?;
        let kept = kept(conn, &file, version)?.ok_or_else(invalid)?;
        Ok((file, kept))
    };
    let (file, kept) = context.look_up(find).await?;
    let source = Source::of(file, kept, form).await?.ok_or_else(invalid)?;
    source.download(&context.blobs, &wanted).await
}

fn invalid() -> Refusal {
    codes::GRANT_INVALID.refusal()
}
