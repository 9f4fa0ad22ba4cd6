//! The computed values that a plan changes in addition to what it names.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    a1::{cell::Cell, range::CellRange},
    compute::{CellError, Computed, TooLarge, Value, Workbook},
    concerned,
    content::SpreadsheetContent,
    edit::{anchors::spliced, lines::Lines, operation::SpreadsheetOperation},
    formula::is_formula,
};
use crate::preview::{PlanWarning, Severity, WarningCode};

/// The most totals of a plan.
const LISTED: usize = 50;
// For each of the two workbooks. Smaller than for a reader, because a plan must not wait long for them.
const VISITS: usize = 2_000_000;
/// The most warnings about written formulas, and the most about others: one cycle can break thousands of formulas.
const MAX_ERROR_WARNINGS: usize = 50;
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

/// Notes the formulas whose values become errors in `warnings`.
pub fn totals(
    before: &SpreadsheetContent,
    after: &SpreadsheetContent,
    operations: &[SpreadsheetOperation],
    warnings: &mut Vec<PlanWarning>,
) -> Totals {
    let written = written(after, operations);
    let is_concerned = concerned::may_change_values(before, after, operations);
    // Most plans change no value, and nothing is calculated for them.
    if !is_concerned && written.is_empty() {
        return Totals { cells: Some(Vec::new()), changed: Some(0), reason: None };
    }
    let mut books = Books { old: Workbook::bounded(before, VISITS), new: Workbook::bounded(after, VISITS) };
    let mut errors = Vec::new();
    let changed = match is_concerned {
        true => changed(before, after, operations, &mut books, &mut errors),
        false => Ok((Vec::new(), 0)),
    };
    if changed.is_ok() {
        // What takes too long has no warning: a plan must not wait for it.
        let _ = books.written_errors(before, after, operations, &written, &mut errors);
    }
    warnings.extend(errors);
    match changed {
        Ok((cells, changed)) => Totals { cells: Some(cells), changed: Some(changed), reason: None },
        Err(TooLarge) => {
            Totals { cells: None, changed: None, reason: Some(crate::codes::COMPUTATION_TOO_LARGE.name.to_owned()) }
        }
    }
}

/// The workbooks before and after a plan.
struct Books<'a> {
    old: Workbook<'a>,
    new: Workbook<'a>,
}

/// A cell after all operations, and the index of the operation that wrote it.
struct Written {
    op: usize,
    sheet: usize,
    cell: Cell,
}

/// The formulas in cells to which an operation gives a text.
fn written(after: &SpreadsheetContent, operations: &[SpreadsheetOperation]) -> Vec<Written> {
    use SpreadsheetOperation as Op;
    let mut written = Vec::new();
    for (op, operation) in operations.iter().enumerate() {
        let (name, range) = match operation {
            Op::SetCells(set) => (&set.sheet, set.range),
            Op::Fill(fill) => (&fill.sheet, fill.range),
            _ => continue,
        };
        let steps = Steps::of(name, &operations[op + 1..]);
        let Some((sheet, content)) = steps.name.as_deref().and_then(|name| after.sheet(name)) else { continue };
        let cells = range.cells().filter_map(|cell| steps.followed(cell));
        let formulas = cells.filter(|cell| content.text(*cell).is_some_and(is_formula));
        written.extend(formulas.map(|cell| Written { op, sheet, cell }));
    }
    written
}

impl Books<'_> {
    /// Notes the written formulas whose values are errors, unless the cell had an error before.
    fn written_errors(
        &mut self,
        before: &SpreadsheetContent,
        after: &SpreadsheetContent,
        operations: &[SpreadsheetOperation],
        written: &[Written],
        errors: &mut Vec<PlanWarning>,
    ) -> Result<(), TooLarge> {
        // Where cells or sheets have moved, another cell had this address before. A warning too many does no harm.
        let keep_places = concerned::keep_places(operations);
        let most = errors.len() + MAX_ERROR_WARNINGS;
        for Written { op, sheet, cell } in written {
            if errors.len() == most {
                break;
            }
            let name = &after.sheets[*sheet].name;
            let old = match before.sheet(name).filter(|_| keep_places) {
                Some((sheet, _)) => self.old.value(sheet, *cell)?,
                None => Value::Empty,
            };
            errors.extend(new_error((&old, &self.new.value(*sheet, *cell)?), Some(*op), name, *cell));
        }
        Ok(())
    }
}

/// The warning about a value that becomes an error.
fn new_error((old, new): (&Value, &Value), op: Option<usize>, sheet: &str, cell: Cell) -> Option<PlanWarning> {
    let Value::Error(error) = new else { return None };
    // A lost reference has a warning of its own.
    let is_known = matches!(old, Value::Error(_)) || *error == CellError::LostReference;
    (!is_known).then(|| PlanWarning {
        code: WarningCode::FormulaError,
        op,
        place: format!("{sheet}!{cell}"),
        severity: Severity::Medium,
        detail: error.as_str().to_owned(),
    })
}

fn changed(
    before: &SpreadsheetContent,
    after: &SpreadsheetContent,
    operations: &[SpreadsheetOperation],
    Books { old, new }: &mut Books<'_>,
    errors: &mut Vec<PlanWarning>,
) -> Result<(Vec<Total>, usize), TooLarge> {
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
            if errors.len() < MAX_ERROR_WARNINGS {
                errors.extend(new_error((&one, &other), None, name, place));
            }
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

    #[test]
    fn a_value_that_becomes_an_error_causes_a_warning() {
        let before: SpreadsheetContent = json_reader::read(&json!({"kind": "sheets", "sheets": [
            {"name": "S", "cells": [["1", "=A1+1", ""], ["2", "x", "=1/0"], ["x", "=SUM(A1:A2)", ""]]}
        ]}))
        .expect("content");
        let warned = |cell: &str, text: &str| {
            let set = json!({"op": "set_cells", "sheet": "S", "range": cell, "values": [[text]]});
            let (after, _) = carry_out(&before, std::slice::from_ref(&set)).expect("possible");
            let mut warnings = Vec::new();
            totals(&before, &after, &[json_reader::read(&set).expect("an operation")], &mut warnings);
            let line = |PlanWarning { op, place, detail, .. }| format!("{place} {detail} {op:?}");
            warnings.into_iter().map(line).collect::<Vec<_>>()
        };
        assert_eq!(warned("D1", "=D1+1"), ["S!D1 #CYCLE! Some(0)"]);
        assert_eq!(warned("B1", "=SUM(B:B)"), ["S!B1 #CYCLE! Some(0)"]);
        assert_eq!(warned("A1", "=SUM(B:B)"), ["S!B1 #CYCLE! None", "S!B3 #CYCLE! None", "S!A1 #CYCLE! Some(0)"]);
        assert_eq!(warned("A1", "x"), ["S!B1 #VALUE! None"]);
        assert_eq!(warned("C2", "=2/0"), [""; 0], "it was an error");
        assert_eq!(warned("D1", "=A1"), [""; 0]);
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
                let mut books = Books { old: Workbook::new(&before), new: Workbook::new(&after) };
                let changed = changed(&before, &after, &operations, &mut books, &mut Vec::new());
                prop_assert_eq!(changed, Ok((Vec::new(), 0)));
            }
        }
    }
}
