//! Warnings about all operations of a plan together.

use std::collections::BTreeSet;

use shared_model::Error;
use shared_runtime::Conn;

use super::anchors::shifted;
use crate::{
    files::{comments, file::File},
    workspace::link_domains,
};
use cloud_content::{
    content::Content,
    hidden_text::added::added_warnings,
    large_deletion::large_deletion,
    preview::{PlanWarning, Preview, Severity, WarningCode},
};

/// The content before and after a plan.
pub struct Compared<'a, C: Content> {
    pub before: &'a C,
    pub after: &'a C,
    pub operations: &'a [C::Operation],
    /// The link domains of the new content.
    pub links: &'a BTreeSet<String>,
}

pub fn add<C: Content>(
    conn: &mut Conn,
    file: &File,
    compared: Compared<'_, C>,
    preview: &mut Preview,
) -> Result<(), Error> {
    let Compared { before, after, operations, links } = compared;
    let known = link_domains::known(conn, file.workspace_id, links)?;
    let added = added_warnings(before, after, &preview.changes, |domain| known.contains(domain));
    preview.warnings.extend(added);
    preview.warnings.extend(large_deletion(before, after, preview.counts.deleted));
    for (id, anchor) in comments::store::open_anchors(conn, file.id)? {
        let later = shifted::<C>(operations, anchor.clone());
        // Only losses of this plan: a comment whose place was deleted earlier is no news.
        if before.has_anchor(&anchor) && !after.has_anchor(&later) {
            preview.warnings.push(PlanWarning {
                code: WarningCode::CommentAnchorLost,
                op: None,
                place: id.to_string(),
                severity: Severity::Medium,
                detail: anchor.to_string(),
            });
        }
    }
    Ok(())
}
