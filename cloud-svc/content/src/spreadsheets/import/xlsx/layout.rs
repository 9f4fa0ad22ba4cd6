//! The layout that we keep: alignment, widths, lists of choices.

use shared_model::text;

use super::{
    package::SheetPart,
    sheet_notes::{RuleNote, SheetNotes, position},
    styles::Style,
};
use crate::lost::{Losses, Lost};
use crate::spreadsheets::{
    a1::{cell::Cell, range::CellRange},
    content::{
        CONTENT_BYTES, SpreadsheetContent,
        by_cell::{ByCell, ENTRIES},
        cell_key::CellKey,
        cell_rule::{CellRule, VALUE_BYTES, VALUES},
        format::CellFormat,
        json_bytes,
        widths::Widths,
    },
    xlsx::ANY_NUMBER,
};

// The JSON of a cell besides its rule: `"9:1999:63":`, a comma, and some room for the member's name.
const KEY_BYTES: usize = 32;

/// Adds widths and formats of the sheet with this index, whose cells are there already.
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
}

/// Adds the validation rules of all sheets, as far as the content has room for them.
// A short file can give one long list to thousands of cells. Here each cell has its own copy.
pub fn add_rules(content: &mut SpreadsheetContent, sheets: &[(SheetPart, SheetNotes)], losses: &mut Losses) {
    let mut room = CONTENT_BYTES.saturating_sub(json_bytes(content));
    for (index, (sheet, notes)) in sheets.iter().enumerate() {
        for rule in &notes.rules {
            add_rule(content, (index, sheet), rule, &mut room, losses);
        }
    }
}

/// `room` is how many bytes of JSON the rules may still have.
fn add_rule(
    content: &mut SpreadsheetContent,
    (index, sheet): (usize, &SheetPart),
    rule: &RuleNote,
    room: &mut usize,
    losses: &mut Losses,
) {
    let Some(kept) = rule_of(rule) else {
        return losses.note(Lost::Validations, || format!("{}!{}", sheet.name, first(&rule.ranges)));
    };
    let bytes = KEY_BYTES + json_bytes(&kept);
    let size = &content.sheets[index];
    let last = Cell { row: size.rows().saturating_sub(1), column: size.columns().saturating_sub(1) };
    let mut keys = Vec::new();
    for text in rule.ranges.split_whitespace() {
        let (range, is_whole) = cells_of(text, last);
        // One cell above the bound is enough to note the loss.
        let cells = range.map_or(0, |range| range.cell_count()).min(ENTRIES + 1);
        let left = room.checked_sub(cells * bytes);
        if !is_whole || left.is_none() {
            losses.note(Lost::Layout, || format!("{}!{text}", sheet.name));
        }
        let (Some(range), Some(left)) = (range, left) else { continue };
        *room = left;
        keys.extend(range.cells().take(cells).map(|cell| (CellKey { sheet: index, cell }, kept.clone())));
        if keys.len() > ENTRIES {
            break;
        }
    }
    if !keys.is_empty() {
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
            let values: Vec<_> = texts.split(',').take(VALUES + 1).map(|value| value.trim().to_owned()).collect();
            let is_allowed = |value: &String| !value.is_empty() && text::check(value, VALUE_BYTES).is_ok();
            ((1..=VALUES).contains(&values.len()) && values.iter().all(is_allowed)).then_some(CellRule::List { values })
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
