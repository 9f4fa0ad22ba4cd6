//! The computed values that a plan changes beside what it names.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    a1::{cell::Cell, range::CellRange},
    compute::{Computed, TooLarge, Value, Workbook},
    concerned,
    content::SpreadsheetContent,
    edit::{anchors::spliced, lines::Lines, operation::SpreadsheetOperation},
    formula::is_formula,
};

/// The most totals of a plan.
const LISTED: usize = 50;
// For each of the two workbooks. Smaller than for a reader, because a plan must not wait long for them.
const VISITS: usize = 2_000_000;
/// The most characters of a text among the totals.
const SHOWN: usize = 200;

/// The cells whose computed values a plan changes although it does not name them, such as totals.
#[derive(Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Totals {
    /// The first 50 in the order of the old workbook. Null if `reason` says why.
    #[schema(required, max_items = 50)]
    pub cells: Option<Vec<Total>>,
    /// How many they are. Null with `cells`.
    #[schema(required)]
    pub changed: Option<usize>,
    /// `computation_too_large`: the formulas visit too many cells. Null otherwise.
    #[schema(required, example = json!(null))]
    pub reason: Option<String>,
}

/// A cell with its value before and after the plan.
#[derive(Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "sheet": "Budget", "cell": "B5",
    "before": {"type": "number", "value": 1150}, "after": {"type": "number", "value": 1270},
}))]
pub struct Total {
    /// The name of its sheet after the plan.
    pub sheet: String,
    /// Its address after the plan.
    pub cell: String,
    pub before: Computed,
    pub after: Computed,
}

pub fn totals(before: &SpreadsheetContent, after: &SpreadsheetContent, operations: &[SpreadsheetOperation]) -> Totals {
    let changed = match concerned::may_change_values(before, after, operations) {
        true => changed(before, after, operations),
        false => Ok((Vec::new(), 0)),
    };
    match changed {
        Ok((cells, changed)) => Totals { cells: Some(cells), changed: Some(changed), reason: None },
        Err(TooLarge) => {
            Totals { cells: None, changed: None, reason: Some(crate::codes::COMPUTATION_TOO_LARGE.name.to_owned()) }
        }
    }
}

fn changed(
    before: &SpreadsheetContent,
    after: &SpreadsheetContent,
    operations: &[SpreadsheetOperation],
) -> Result<(Vec<Total>, usize), TooLarge> {
    let (mut old, mut new) = (Workbook::bounded(before, VISITS), Workbook::bounded(after, VISITS));
    let (mut cells, mut changed) = (Vec::new(), 0);
    for (index, sheet) in before.sheets.iter().enumerate() {
        let steps = Steps::of(&sheet.name, operations);
        let Some(name) = &steps.name else { continue };
        let Some((later, _)) = after.sheet(name) else { continue };
        for (cell, _) in sheet.texts().filter(|(_, text)| is_formula(text)) {
            let Some(place) = steps.followed(cell) else { continue };
            let (one, other) = (old.value(index, cell)?, new.value(later, place)?);
            // An empty cell and its number 0 are shown alike.
            if Computed::from(&one) == Computed::from(&other) {
                continue;
            }
            changed += 1;
            if cells.len() < LISTED {
                let (before, after) = (shown(&one), shown(&other));
                cells.push(Total { sheet: name.clone(), cell: place.to_string(), before, after });
            }
        }
    }
    Ok((cells, changed))
}

fn shown(value: &Value) -> Computed {
    match value {
        Value::Text(text) => Computed::from(&Value::text(text.chars().take(SHOWN).collect::<String>())),
        value => Computed::from(value),
    }
}

/// What the operations do to the places of one sheet.
struct Steps<'a> {
    steps: Vec<Step<'a>>,
    /// The name after all operations; `None` if the sheet is deleted.
    name: Option<String>,
}

enum Step<'a> {
    Moves(&'a SpreadsheetOperation),
    Names(CellRange),
}

impl<'a> Steps<'a> {
    fn of(name: &str, operations: &'a [SpreadsheetOperation]) -> Self {
        use SpreadsheetOperation as Op;
        let (mut steps, mut name) = (Vec::new(), name.to_owned());
        for operation in operations {
            let named = match operation {
                Op::RenameSheet(rename) if rename.sheet == name => {
                    name.clone_from(&rename.name);
                    None
                }
                Op::DeleteSheet(delete) if delete.sheet == name => return Self { steps, name: None },
                Op::SetCells(set) => Some((&set.sheet, set.range)),
                Op::ClearRange(clear) => Some((&clear.sheet, clear.range)),
                Op::Fill(fill) => Some((&fill.sheet, fill.range)),
                _ => None,
            };
            steps.extend(named.filter(|(sheet, _)| **sheet == name).map(|(_, range)| Step::Names(range)));
            if spliced(operation).is_some_and(|(sheet, ..)| sheet == name) {
                steps.push(Step::Moves(operation));
            }
        }
        Self { steps, name: Some(name) }
    }

    /// The place of a cell after all operations; `None` if one deletes or names it.
    fn followed(&self, mut cell: Cell) -> Option<Cell> {
        for step in &self.steps {
            match step {
                Step::Names(range) if range.rows().contains(&cell.row) && range.columns().contains(&cell.column) => {
                    return None;
                }
                Step::Names(_) => {}
                Step::Moves(operation) => {
                    let (_, lines, shift) = spliced(operation)?;
                    let line = if lines == Lines::Rows { &mut cell.row } else { &mut cell.column };
                    *line = shift.place(*line)?;
                }
            }
        }
        Some(cell)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value as Json, json};
    use shared_model::json_reader;

    use super::*;
    use crate::test_support::plans::carry_out;

    fn text() -> impl Strategy<Value = String> {
        "[ab12]|=[ST]![A-C][1-3]|=[A-C][1-3]\\+1|=SUM\\([AB]1:[BC]3\\)|=SUM\\(B:B\\)|=COUNT\\(2:3\\)|=A9|"
    }

    fn operation() -> impl Strategy<Value = Json> {
        let cell = || "[A-D][1-4]";
        prop_oneof![
            4 => ("[ST]", cell(), text()).prop_map(|(sheet, cell, text)| {
                json!({"op": "set_cells", "sheet": sheet, "range": cell, "values": [[text]]})
            }),
            1 => ("[ST]", cell()).prop_map(|(sheet, cell)| json!({"op": "clear_range", "sheet": sheet, "range": cell})),
            1 => ("[ST]", cell()).prop_map(|(sheet, cell)| {
                json!({"op": "set_format", "sheet": sheet, "range": cell, "wrap": true})
            }),
            1 => Just(json!({"op": "insert_rows", "sheet": "S", "row": 2, "count": 1})),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        #[test]
        fn no_value_changes_where_no_formula_is_concerned(
            cells in proptest::collection::vec(text(), 18),
            operations in proptest::collection::vec(operation(), 1..4),
        ) {
            let sheet = |name: &str, cells: &[String]| json!({"name": name, "cells": cells.chunks(3).collect::<Vec<_>>()});
            let sheets = json!([sheet("S", &cells[..9]), sheet("T", &cells[9..])]);
            let before: SpreadsheetContent = json_reader::read(&json!({"kind": "sheets", "sheets": sheets})).expect("content");
            let Ok((after, _)) = carry_out(&before, &operations) else { return Ok(()) };
            let operations: Vec<SpreadsheetOperation> =
                operations.iter().map(|operation| json_reader::read(operation).expect("an operation")).collect();
            if !concerned::may_change_values(&before, &after, &operations) {
                prop_assert_eq!(changed(&before, &after, &operations), Ok((Vec::new(), 0)));
            }
        }
    }
}
