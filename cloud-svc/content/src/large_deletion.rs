//! The warning about a plan that deletes or replaces much.

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
    let is_rewritten = before.is_rewritten(after, edits);
    let is_high = are_many || is_most || is_rewritten || is_much && old > FEW_BYTES;
    let rest = if is_rewritten { "; most of the text is deleted or replaced" } else { "" };
    (is_much || is_high).then(|| PlanWarning {
        code: WarningCode::LargeDeletion,
        op: None,
        place: String::new(),
        severity: if is_high { Severity::High } else { Severity::Medium },
        detail: format!("{old} bytes of text before, {new} after; deleted parts: {gone}{rest}"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::large_deletion;
    use crate::{
        content::Content as _, documents::content::DocumentContent, notes::content::NoteContent, preview::Severity,
        spreadsheets::content::SpreadsheetContent, test_support::plans::content,
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

    #[test]
    fn the_loss_of_nearly_all_the_words_is_high_also_if_others_take_their_place() {
        let note = |text: &str| -> NoteContent { content(&json!({"title": "", "content": text})) };
        let severity = |before: &str, later: &str| {
            large_deletion(&note(before), &note(later), None).map(|warning| warning.severity)
        };
        let words = |name: &str| (0..400).map(|number| format!("{name}{number}")).collect::<Vec<_>>().join(" ");
        assert_eq!(severity(&words("word"), &words("other")), Some(Severity::High));
        assert_eq!(severity(&words("word"), &format!("{} {}", words("word"), words("other"))), None);
        assert_eq!(severity(&"item\n".repeat(50), ""), Some(Severity::High));
        assert_eq!(severity("bread\nmilk", "Ada's\nnumber"), None);
    }

    #[test]
    fn a_part_that_loses_all_its_text_counts_as_deleted() {
        let document = |texts: &[&str]| -> DocumentContent {
            let block = |(index, text): (usize, &&str)| json!({"id": format!("b{index}"), "type": "paragraph", "segments": [{"text": text}]});
            content(&json!({"kind": "docs", "blocks": texts.iter().enumerate().map(block).collect::<Vec<_>>()}))
        };
        let gone = |later: &[&str]| document(&["one", "two", ""]).deleted_parts(&document(later), None).gone;
        assert_eq!(gone(&["", " \n", ""]), 2);
        assert_eq!(gone(&["", "2"]), 2, "the empty one is gone");
        assert_eq!(gone(&["1", "2", ""]), 0, "other text is no deletion");
        let (before, later) = (document(&["x"; 60]), document(&[&["x"; 39][..], &[""; 21]].concat()));
        let warning = large_deletion(&before, &later, None).expect("a warning");
        assert_eq!(warning.severity, Severity::High);
    }
}
