//! The texts of blocks as Word shows them, in a form in which two of them can be compared.

use similar::{Algorithm, DiffOp};

use crate::{
    difference::edits,
    documents::content::{
        block::{Block, BlockType, Cell},
        segment::Segment,
    },
};

/// The text of a line across the page. It must be visible text: only that tells whether the line was accepted.
pub const DIVIDER: &str = "* * *";

/// A paragraph or a row of a table, in the old version, the new one, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub before: Option<String>,
    pub after: Option<String>,
}

/// All paragraphs or rows of a block that both versions have, or one of them.
pub fn items(before: Option<&Block>, after: Option<&Block>) -> Vec<Item> {
    match (before, after) {
        (Some(before), Some(after)) if before.rows.is_some() || after.rows.is_some() => {
            let (old, new) = (before.rows.as_deref().unwrap_or(&[]), after.rows.as_deref().unwrap_or(&[]));
            let rows = row_changes(old, new).into_iter();
            rows.map(|row| Item { before: row.before.map(row_text), after: row.after.map(row_text) }).collect()
        }
        (Some(one), None) => texts(one).into_iter().map(|text| Item { before: Some(text), after: None }).collect(),
        (None, Some(one)) => texts(one).into_iter().map(|text| Item { before: None, after: Some(text) }).collect(),
        (before, after) => vec![Item { before: before.map(block_text), after: after.map(block_text) }],
    }
}

/// A row of a table that stays, goes or comes.
#[derive(Clone, Copy)]
pub struct RowChange<'a> {
    pub before: Option<&'a [Cell]>,
    pub after: Option<&'a [Cell]>,
}

pub fn row_changes<'a>(old: &'a [Vec<Cell>], new: &'a [Vec<Cell>]) -> Vec<RowChange<'a>> {
    let keys = |rows: &[Vec<Cell>]| rows.iter().map(|row| format!("{row:?}")).collect::<Vec<_>>();
    let mut changes = Vec::new();
    for step in edits(Algorithm::Myers, &keys(old), &keys(new), None) {
        let (gone, come) = (&old[step.old_range()], &new[step.new_range()]);
        if matches!(step, DiffOp::Equal { .. }) {
            let stays = gone.iter().zip(come);
            changes.extend(stays.map(|(before, after)| RowChange { before: Some(before), after: Some(after) }));
        } else {
            changes.extend(gone.iter().map(|row| RowChange { before: Some(row), after: None }));
            changes.extend(come.iter().map(|row| RowChange { before: None, after: Some(row) }));
        }
    }
    changes
}

fn texts(block: &Block) -> Vec<String> {
    match &block.rows {
        Some(rows) => rows.iter().map(|row| row_text(row)).collect(),
        None => vec![block_text(block)],
    }
}

fn block_text(block: &Block) -> String {
    if block.kind == BlockType::Divider { DIVIDER.to_owned() } else { plain(&written(&block.segments)) }
}

fn row_text(row: &[Cell]) -> String {
    plain(&row.iter().map(|cell| written(cell)).collect::<Vec<_>>().join(" "))
}

fn written(segments: &[Segment]) -> String {
    segments.iter().map(|segment| segment.text.as_str()).collect()
}

/// All whitespace is alike: programs write tabs, line breaks and runs of spaces in their own ways.
pub fn plain(text: &str) -> String {
    let shown: String = text.chars().filter(|character| is_in_xml(*character)).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether XML 1.0 can have the character.
pub fn is_in_xml(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}
