//! Warnings about all operations of a plan together.

use std::collections::BTreeSet;

use shared_model::Error;
use shared_runtime::Conn;

use crate::{
    files::{comments, file::File, protection},
    workspace::{link_domains, risk_rules},
};
use cloud_content::{
    content::Content,
    hidden_text::added::added_warnings,
    large_deletion::large_deletion,
    preview::{PlanWarning, Preview, Severity, WarningCode},
    protection::touched,
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
    preview.warnings.extend(large_deletion(before, after, Some(operations)));
    let rules = risk_rules::store::find(conn, file.workspace_id)?;
    rules.warn(before, after, Some(operations), &mut preview.warnings);
    let places = protection::store::places(conn, file.id)?;
    for place in touched(before, after, Some(operations), &places) {
        preview.warnings.push(PlanWarning {
            code: WarningCode::ProtectedPart,
            op: None,
            place: place.to_string(),
            severity: Severity::High,
            detail: if place.is_whole() { "the whole file".to_owned() } else { place.to_string() },
        });
    }
    for (id, anchor) in comments::store::open_anchors(conn, file.id)? {
        let later = C::shift_anchor(operations, anchor.clone());
        // Only losses of this plan: a comment whose place was deleted earlier is not new.
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
