//! The warning about a plan that deletes much.

use crate::{
    content::Content,
    file_type::FileType,
    preview::{PlanWarning, Severity, WarningCode},
};

// More deleted blocks than this get a warning.
const MANY_BLOCKS: usize = 20;
// A reviewer sees so short a text at one glance, so its deletion is of medium severity.
const FEW_BYTES: usize = 1_000;

/// The warning, if there is a reason for one. `deleted` is the number of deleted parts.
pub fn large_deletion<C: Content>(before: &C, after: &C, deleted: usize) -> Option<PlanWarning> {
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
