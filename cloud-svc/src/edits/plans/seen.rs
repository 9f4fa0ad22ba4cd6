//! Whether the reviewer of a plan has seen all that a rebase of it shows.

use shared_model::{Error, Failure};
use shared_runtime::{
    Conn,
    identity::{Actor, ActorKind},
};

use super::{
    new_plan::NewPlan,
    plan::{Plan, StoredPreview},
    store,
};
use crate::files::version_store;
use cloud_content::{
    canonical::Canonical,
    content::Content,
    same_proposal::{Edited, shows_the_same as contents_show_the_same},
};

/// `base` and `current` are the contents before the plan and before the proposal.
pub fn shows_the_same<C: Content>(
    conn: &mut Conn,
    plan: &Plan,
    proposal: &NewPlan,
    (base, current): (&C, &C),
    edit: impl Fn(&C) -> Result<C, Error>,
) -> Result<bool, Error> {
    // A page shows the name and the folder of the file beside the plan.
    if plan.base_meta_revision != proposal.base.meta_revision
        || !is_same_preview(&store::preview(conn, plan.id)?, &proposal.preview)?
    {
        return Ok(false);
    }
    // Text around the changes can give them another meaning. So neither an author nor any program may have edited the
    // file since. One person may write a plan and another apply it: both count.
    let writers = version_store::writers(conn, plan.file_id, plan.base_version_id, proposal.base.version)?;
    let is_near = |writer: &Actor| writer.kind != ActorKind::User || plan.is_by_actor(writer);
    if writers.is_none_or(|writers| writers.iter().any(is_near)) {
        return Ok(false);
    }
    let (seen, now) = (edit(base)?, edit(current)?);
    // An approval is of this content. A later release could edit in another way.
    if Canonical::from_content(&seen)?.sha256_hex() != plan.proposal_sha256 {
        return Ok(false);
    }
    let (seen, now) = (Edited { before: base, after: &seen }, Edited { before: current, after: &now });
    Ok(contents_show_the_same(&seen, &now)?)
}

// Byte by byte: any difference needs a new approval. The sizes in the summary may differ, because they are of the whole
// content.
fn is_same_preview(seen: &str, now: &str) -> Result<bool, Failure> {
    let (seen, now): (StoredPreview, StoredPreview) = (serde_json::from_str(seen)?, serde_json::from_str(now)?);
    let parts = |preview: &StoredPreview| {
        let totals = preview.totals.as_ref().map(|totals| totals.get().to_owned());
        (preview.changes.get().to_owned(), preview.warnings.get().to_owned(), totals)
    };
    Ok(seen.operations == now.operations && parts(&seen) == parts(&now))
}
