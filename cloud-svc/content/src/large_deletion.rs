//! The warning about a plan that deletes much.

use crate::{
    content::Content,
    deleted::Deleted,
    file_type::FileType,
    preview::{PlanWarning, Severity, WarningCode},
};

// More deleted blocks than this get a warning.
const MANY_BLOCKS: usize = 20;
// A reviewer sees so short a text at one glance, so its deletion is of medium severity.
const FEW_BYTES: usize = 1_000;

/// The warning, if there is a reason for one. `edits` are the operations that made `after`, if any did.
pub fn large_deletion<C: Content>(before: &C, after: &C, edits: Option<&[C::Operation]>) -> Option<PlanWarning> {
    let bytes = |content: &C| content.passages().map(|passage| passage.text.len()).sum::<usize>();
    let (old, new) = (bytes(before), bytes(after));
    let is_much = new * 10 < old * 7;
    let Deleted { had, gone } = before.deleted_parts(after, edits);
    let are_many = C::TYPE == FileType::Document && gone > MANY_BLOCKS;
    let is_most = gone * 2 > had;
    (is_much || are_many || is_most).then(|| PlanWarning {
        code: WarningCode::LargeDeletion,
        op: None,
        place: String::new(),
        severity: if are_many || is_most || old > FEW_BYTES { Severity::High } else { Severity::Medium },
        detail: format!("{old} bytes of text before, {new} after; deleted parts: {gone}"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::large_deletion;
    use crate::{
        documents::content::DocumentContent, preview::Severity, spreadsheets::content::SpreadsheetContent,
        test_support::plans::content,
    };

    #[test]
    fn the_loss_of_more_than_half_is_high_however_short_the_text_is() {
        let long = "long ".repeat(20);
        let sheet = |cells: &[&str]| -> SpreadsheetContent {
            content(&json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [cells]}]}))
        };
        let severity = |later: &[&str]| {
            large_deletion(&sheet(&[&long, "b", "c", "d", ""]), &sheet(later), None).map(|warning| warning.severity)
        };
        assert_eq!(severity(&[&long, "", "", ""]), Some(Severity::High));
        assert_eq!(severity(&[&long, "b", "", ""]), None);
        assert_eq!(severity(&["", "b", "c", "d"]), Some(Severity::Medium));
        let document = |ids: &[&str]| -> DocumentContent {
            let block = |id: &&str| json!({"id": id, "type": "paragraph", "segments": [{"text": if *id == "a" { &long } else { "x" }}]});
            content(&json!({"kind": "docs", "blocks": ids.iter().map(block).collect::<Vec<_>>()}))
        };
        let severity = |later: &[&str]| {
            large_deletion(&document(&["a", "b", "c"]), &document(later), None).map(|warning| warning.severity)
        };
        assert_eq!(severity(&["a"]), Some(Severity::High));
        assert_eq!(severity(&["a", "b"]), None);
        assert_eq!(severity(&["b", "c"]), Some(Severity::Medium));
    }
}
