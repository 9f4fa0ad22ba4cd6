//! Formulas follow the cells to which they refer.

use shared_model::Error;

use super::{lines::Lines, shift::Shift, target::cell_key};
use crate::{
    name_key::name_key,
    preview::{ChangedPlace, Preview, Severity, WarningCode},
    spreadsheets::{
        a1::cell::Cell,
        content::{SpreadsheetContent, sheet::CELL_BYTES},
        formula::{
            self, is_formula,
            rewrite::{Replacement, rewrite},
            tree::{Area, Line, Reference},
        },
    },
};

// A warning shows the beginning of a formula. The change shows all of it.
const SHOWN: usize = 80;
// The most warnings of one kind and operation. The next one says how many more there are.
const WARNINGS: usize = 200;

/// What an operation has done to a sheet.
pub enum Moved<'a> {
    Lines { sheet: &'a str, lines: Lines, shift: Shift },
    Renamed { sheet: &'a str, name: &'a str },
    Deleted { sheet: &'a str },
}

/// Rewrites the references of all formulas after their cells have moved.
// Once for each operation and not once for a plan: `set_cells` of the same plan writes formulas between two moves.
pub fn follow(content: &mut SpreadsheetContent, moved: &Moved<'_>, preview: &mut Preview) -> Result<(), Error> {
    let sheet = moved.sheet_key();
    let (mut lost, mut unread) = (Vec::new(), Vec::new());
    for (index, sheet_cells) in content.sheets.iter_mut().enumerate() {
        // A renamed sheet has its new name by now. No reference without a sheet changes then.
        let is_own = matches!(moved, Moved::Lines { .. }) && name_key(&sheet_cells.name) == sheet;
        let rows = sheet_cells.cells.iter_mut().enumerate();
        let cells = rows.flat_map(|(row, cells)| {
            cells.iter_mut().enumerate().map(move |(column, text)| (Cell { row, column }, text))
        });
        // Without `!` no other sheet is named: most formulas need not be parsed.
        for (cell, text) in cells.filter(|(_, text)| is_formula(text) && (is_own || text.contains('!'))) {
            let Ok(tree) = formula::parse_stored(text) else {
                if moved.may_concern(is_own, text) {
                    unread.push((cell_key(&sheet_cells.name, cell), shown(text)));
                }
                continue;
            };
            let refers = |reference: &Reference| match &reference.sheet {
                Some(part) => name_key(&part.name) == sheet,
                None => is_own,
            };
            let change = |reference: &Reference| if refers(reference) { moved.replacement(reference) } else { None };
            let Some(rewritten) = rewrite(text, &tree, change) else { continue };
            let place = cell_key(&sheet_cells.name, cell);
            moved.check((index, cell), &rewritten.text, preview)?;
            preview.formula(
                ChangedPlace {
                    sheet: Some(sheet_cells.name.clone()),
                    cell: Some(cell.to_string()),
                    place: Some(place.clone()),
                    ..ChangedPlace::default()
                },
                text,
                &rewritten.text,
            )?;
            if rewritten.loses_reference {
                lost.push((place, shown(text)));
            }
            *text = rewritten.text;
        }
    }
    warn(WarningCode::FormulaReferenceLost, Severity::High, lost, preview);
    warn(WarningCode::FormulaNotRewritten, Severity::Medium, unread, preview);
    Ok(())
}

impl Moved<'_> {
    fn sheet_key(&self) -> String {
        let (Self::Lines { sheet, .. } | Self::Renamed { sheet, .. } | Self::Deleted { sheet }) = self;
        name_key(sheet)
    }

    /// What becomes of a reference to the sheet.
    fn replacement(&self, reference: &Reference) -> Option<Replacement> {
        match *self {
            Self::Lines { lines, shift, .. } => reference.with_area(shifted(reference.area, lines, shift)),
            Self::Renamed { name, .. } => reference.with_sheet(name),
            Self::Deleted { .. } => Some(reference.lost()),
        }
    }

    /// Whether a formula that cannot be read may refer to what has moved.
    fn may_concern(&self, is_own: bool, text: &str) -> bool {
        // `=NOW()` has neither, so it refers to nothing.
        let has_address = text.bytes().any(|byte| byte.is_ascii_digit() || byte == b':');
        let (key, sheet) = (name_key(text), self.sheet_key().replace('\'', "''"));
        (is_own && has_address) || ["!", "'!"].iter().any(|end| key.contains(&format!("{sheet}{end}")))
    }

    /// Refuses a formula that cells may not have.
    fn check(&self, (sheet, cell): (usize, Cell), text: &str, preview: &Preview) -> Result<(), Error> {
        // By its number: others have named the sheet, and a refusal quotes no names.
        let sheet = sheet + 1;
        match self {
            Self::Renamed { name, .. } if !formula::can_be_referred_to(name) => {
                let formula = format!("the formula in {cell} of sheet {sheet}");
                let rule = format!("must be without [ ] : / \\ | ? *, because {formula} refers to the sheet");
                Err(preview.invalid("/name", rule))
            }
            _ if text.len() > CELL_BYTES => {
                let formula = format!("that in {cell} of sheet {sheet}");
                let has = text.len();
                let rule = format!("must leave formulas of at most {CELL_BYTES} bytes; {formula} would have {has}");
                Err(preview.invalid("", rule))
            }
            _ => Ok(()),
        }
    }
}

fn shifted(area: Area, lines: Lines, shift: Shift) -> Area {
    let change = |length| {
        move |[one, other]: [Line; 2]| {
            let (low, high) = (one.index.min(other.index), one.index.max(other.index));
            let (first, last) = shift.referred(low, high, length)?;
            // The ends may be written in any order, and each keeps its `$`.
            let end = |line: Line| Line { index: if line.index == low { first } else { last }, ..line };
            Some([end(one), end(other)])
        }
    };
    match lines {
        Lines::Rows => area.with_rows(change(formula::ROWS)),
        Lines::Columns => area.with_columns(change(formula::COLUMNS)),
    }
}

/// The beginning of a formula, for a warning.
pub fn shown(formula: &str) -> String {
    formula.chars().take(SHOWN).collect()
}

fn warn(code: WarningCode, severity: Severity, formulas: Vec<(String, String)>, preview: &mut Preview) {
    let more = formulas.len().saturating_sub(WARNINGS);
    for (place, formula) in formulas.into_iter().take(WARNINGS) {
        preview.warn(code, severity, place, formula);
    }
    if more > 0 {
        preview.warn(code, severity, "", format!("{more} more formulas"));
    }
}
