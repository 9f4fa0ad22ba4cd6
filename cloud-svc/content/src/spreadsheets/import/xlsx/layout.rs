//! The layout that we keep: alignment, widths, lists of choices.

use super::{
    package::SheetPart,
    sheet_notes::{RuleNote, SheetNotes, position},
    styles::Style,
};
use crate::lost::{Losses, Lost};
use crate::spreadsheets::{
    a1::{cell::Cell, range::CellRange},
    content::{
        SpreadsheetContent,
        by_cell::{ByCell, ENTRIES},
        cell_key::CellKey,
        cell_rule::CellRule,
        format::CellFormat,
        widths::Widths,
    },
    xlsx::ANY_NUMBER,
};

/// Adds the layout of the sheet with this index, whose cells are there already.
pub fn add(
    content: &mut SpreadsheetContent,
    index: usize,
    sheet: &SheetPart,
    notes: &SheetNotes,
    styles: &[Style],
    losses: &mut Losses,
) {
    if !notes.widths.is_empty() {
        content.widths.get_or_insert_with(|| Widths::Lists(Vec::new())).set(index, notes.widths.clone());
    }
    let styled = notes.styled(styles).filter(|(_, style)| style.layout != CellFormat::default());
    let mut styled: Vec<_> = styled.map(|(cell, style)| (CellKey { sheet: index, cell }, style.layout)).collect();
    styled.sort_by_key(|(key, _)| *key);
    set(&mut content.formats, styled, sheet, losses);
    for rule in &notes.rules {
        let Some(kept) = rule_of(rule) else {
            losses.note(Lost::Validations, || format!("{}!{}", sheet.name, first(&rule.ranges)));
            continue;
        };
        let size = &content.sheets[index];
        let last = Cell { row: size.rows().saturating_sub(1), column: size.columns().saturating_sub(1) };
        let mut keys = Vec::new();
        for text in rule.ranges.split_whitespace() {
            let (range, is_whole) = cells_of(text, last);
            if !is_whole {
                losses.note(Lost::Layout, || format!("{}!{text}", sheet.name));
            }
            keys.extend(
                range.iter().flat_map(CellRange::cells).map(|cell| (CellKey { sheet: index, cell }, kept.clone())),
            );
            if keys.len() > ENTRIES {
                break;
            }
        }
        set(&mut content.validation, keys, sheet, losses);
    }
}

fn set<T>(to: &mut Option<ByCell<T>>, new: Vec<(CellKey, T)>, sheet: &SheetPart, losses: &mut Losses) {
    let mut known = to.as_ref().map_or(0, |entries| entries.iter().count());
    for (key, value) in new {
        let entries = to.get_or_insert_default();
        known += usize::from(entries.get(key).is_none());
        if known > ENTRIES {
            return losses.note(Lost::Layout, || format!("{}!{}", sheet.name, key.cell));
        }
        entries.set(key, Some(value));
    }
}

fn rule_of(RuleNote { kind, operands: [first, second], .. }: &RuleNote) -> Option<CellRule> {
    match &**kind {
        "list" => {
            // A list in quotes. A range of cells is not a list of texts.
            let texts = first.strip_prefix('"')?.strip_suffix('"')?.replace("\"\"", "\"");
            let values: Vec<_> = texts.split(',').map(|text| text.trim().to_owned()).collect();
            ((1..=20).contains(&values.len()) && values.iter().all(|text| !text.is_empty()))
                .then_some(CellRule::List { values })
        }
        "decimal" => {
            // Any other bound is a rule that we do not have.
            let bound = |text: &str| text.parse().unwrap_or(0.0);
            (bound(first) <= -ANY_NUMBER && bound(second) >= ANY_NUMBER).then_some(CellRule::Number)
        }
        _ => None,
    }
}

/// The cells of a range, and whether these are all. A rule of whole columns has a million cells: those of the sheet, which
/// ends at `last`, get it.
fn cells_of(text: &str, last: Cell) -> (Option<CellRange>, bool) {
    if let Ok(range) = text.parse::<CellRange>()
        && range.cell_count() <= ENTRIES
    {
        return (Some(range), true);
    }
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    let within = match (position(from), position(to)) {
        (Some(from), Some(to)) => {
            CellRange::new(from, Cell { row: to.row.min(last.row), column: to.column.min(last.column) })
        }
        _ => None,
    };
    (within, false)
}

fn first(ranges: &str) -> &str {
    ranges.split_whitespace().next().unwrap_or_default()
}
