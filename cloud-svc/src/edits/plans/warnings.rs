//! What a plan warns of that no operation alone can see.

use std::collections::BTreeSet;

use shared_model::Error;
use shared_runtime::Conn;

use super::operation::{Operation, Planned};
use crate::{
    files::{comments, file::File},
    workspace::link_domains,
};
use cloud_content::{
    anchor::Anchor,
    file_type::FileType,
    hidden_text::added::added_warnings,
    preview::{PlanWarning, Preview, Severity, WarningCode},
};

/// Deleted blocks that are too many to be a matter of course.
const MANY_BLOCKS: usize = 20;
/// Text that a reviewer sees at one glance: little of it is lost unseen.
const FEW_BYTES: usize = 1_000;

/// What a plan changes, and how.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a, C> {
    /// The content of its base.
    pub before: &'a C,
    /// The content that it comes to.
    pub after: &'a C,
    /// Its operations.
    pub operations: &'a [Operation],
    /// The domains that the content links to then.
    pub links: &'a BTreeSet<String>,
}

/// Adds the warnings about all operations together.
pub fn add<C: Planned>(
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

/// Where an anchor is after all operations.
pub fn shifted<C: Planned>(operations: &[Operation], anchor: Anchor) -> Anchor {
    operations.iter().filter_map(C::operation).fold(anchor, |anchor, operation| C::shift_anchor(operation, anchor))
}

fn large_deletion<C: Planned>(before: &C, after: &C, deleted: usize) -> Option<PlanWarning> {
    let bytes = |content: &C| content.passages().map(|passage| passage.text.len()).sum::<usize>();
    let (old, new) = (bytes(before), bytes(after));
    let is_much = new * 10 < old * 7;
    let are_many = C::TYPE == FileType::Document && deleted > MANY_BLOCKS;
    (is_much || are_many).then(|| PlanWarning {
        code: WarningCode::LargeDeletion,
        op: None,
        place: String::new(),
        severity: if are_many || old > FEW_BYTES { Severity::High } else { Severity::Medium },
        detail: format!("{old} bytes of text before, {new} after; {deleted} parts deleted"),
    })
}
