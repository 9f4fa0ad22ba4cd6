//! The layout that we keep: alignment, widths, lists of choices.

use super::{
    lost::{Losses, Lost},
    package::SheetPart,
    sheet_notes::{RuleNote, SheetNotes},
    styles::Style,
};
use cloud_content::spreadsheets::{
    a1::range::CellRange,
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
        let (rows, columns) = (content.sheets[index].rows(), content.sheets[index].columns());
        let mut keys = Vec::new();
        for range in rule.ranges.split_whitespace() {
            match range.parse::<CellRange>() {
                // A rule of whole columns has a million cells.
                Ok(range) if range.cell_count() <= ENTRIES => {
                    keys.extend(range.cells().map(|cell| (CellKey { sheet: index, cell }, kept.clone())));
                }
                Ok(range) => {
                    let cells = range.cells().filter(|cell| cell.row < rows && cell.column < columns);
                    keys.extend(cells.map(|cell| (CellKey { sheet: index, cell }, kept.clone())));
                    losses.note(Lost::Layout, || format!("{}!{range}", sheet.name));
                }
                Err(_) => losses.note(Lost::Layout, || format!("{}!{range}", sheet.name)),
            }
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
            // A list in quotes. A range of cells is no list of texts.
            let texts = first.strip_prefix('"')?.strip_suffix('"')?.replace("\"\"", "\"");
            let values: Vec<_> = texts.split(',').map(|text| text.trim().to_owned()).collect();
            ((1..=20).contains(&values.len()) && values.iter().all(|text| !text.is_empty()))
                .then_some(CellRule::List { values })
        }
        "decimal" => {
            let bound = |text: &str| text.parse().unwrap_or(0.0);
            (bound(first) <= -ANY_NUMBER && bound(second) >= ANY_NUMBER).then_some(CellRule::Number)
        }
        _ => None,
    }
}

fn first(ranges: &str) -> &str {
    ranges.split_whitespace().next().unwrap_or_default()
}
