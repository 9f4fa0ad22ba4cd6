//! What a sheet has in addition to the texts of its cells.

use std::collections::HashMap;

use super::{package::SheetPart, styles::Style};
use crate::lost::{Losses, Lost};
use crate::office::xml::{Element, Token, Xml};
use crate::spreadsheets::{
    a1::{
        cell::{Cell, ROWS, row_of},
        column::{COLUMNS, column_of},
    },
    content::{by_cell::ENTRIES, format::CellFormat},
};

// The longest text and the longest formula of a cell have less.
const CELL_BYTES: usize = 131_072;
// Spreadsheet programs give this width to a column that has none.
const WIDTH: i64 = 64;
const MAX_WIDTH: f64 = 600.0;

#[derive(Debug, Default)]
pub struct SheetNotes {
    pub widths: Vec<i64>,
    /// The validation rules: the ranges, the type and the first two operands as written.
    pub rules: Vec<RuleNote>,
    // The style of a cell, and a bit for an array formula, by the cell's place in reading order. The numbers are small,
    // for a hostile sheet has a hundred thousand cells.
    cells: HashMap<u32, u32>,
}

const ARRAY: u32 = 1 << 31;

/// What all sheets together may still note.
#[derive(Debug)]
pub struct Room {
    cells: usize,
    rule_bytes: usize,
}

impl Default for Room {
    fn default() -> Self {
        // More cells than the largest valid spreadsheet has, for some of these are empty.
        Self { cells: 350_000, rule_bytes: 1_048_576 }
    }
}

#[derive(Debug, Default)]
pub struct RuleNote {
    pub ranges: String,
    pub kind: String,
    pub operands: [String; 2],
}

impl SheetNotes {
    pub fn is_array(&self, cell: Cell) -> bool {
        self.note(cell).is_some_and(|note| note & ARRAY != 0)
    }

    pub fn style<'s>(&self, cell: Cell, styles: &'s [Style]) -> Option<&'s Style> {
        styles.get((self.note(cell)? & !ARRAY) as usize)
    }

    /// The cells with a style that we keep, in no order.
    pub fn styled<'s>(&self, styles: &'s [Style]) -> impl Iterator<Item = (Cell, &'s Style)> {
        self.cells.iter().filter_map(|(place, note)| Some((cell_at(*place), styles.get((note & !ARRAY) as usize)?)))
    }

    fn note(&self, cell: Cell) -> Option<u32> {
        self.cells.get(&place_of(cell)?).copied()
    }
}

/// `None` for a cell that no sheet of ours can have.
fn place_of(Cell { row, column }: Cell) -> Option<u32> {
    let is_within = row < ROWS && column < COLUMNS;
    u32::try_from(row * COLUMNS + column).ok().filter(|_| is_within)
}

fn cell_at(place: u32) -> Cell {
    let place = place as usize;
    Cell { row: place / COLUMNS, column: place % COLUMNS }
}

/// Where the reading of a sheet is.
struct Reading<'a> {
    /// The number of the sheet, from 1.
    number: usize,
    sheet: &'a SheetPart,
    styles: &'a [Style],
    losses: &'a mut Losses,
    room: &'a mut Room,
    notes: SheetNotes,
    /// The columns up to the last one with a width of its own.
    own_widths: usize,
    usual_width: i64,
    row: usize,
    column: usize,
    /// The cell, and the bytes of its texts.
    cell: Option<(Cell, usize)>,
    rule: Option<RuleNote>,
    /// The operand of a rule that is being read.
    operand: Option<usize>,
}

pub fn read(
    xml: &mut Xml<'_>,
    (number, sheet): (usize, &SheetPart),
    styles: &[Style],
    losses: &mut Losses,
    room: &mut Room,
) -> Result<SheetNotes, String> {
    let notes = SheetNotes::default();
    let mut reading = Reading {
        number,
        sheet,
        styles,
        losses,
        room,
        notes,
        own_widths: 0,
        usual_width: WIDTH,
        row: 0,
        column: 0,
        cell: None,
        rule: None,
        operand: None,
    };
    while let Some(token) = xml.token()? {
        match token {
            Token::Start(element) => reading.begin(&element)?,
            Token::End(name) => reading.end(&name),
            Token::Text(text) => reading.text(&text)?,
            Token::Nothing => {}
        }
    }
    // LibreOffice lists all columns, also those that have its usual width.
    reading.notes.widths.truncate(reading.own_widths);
    Ok(reading.notes)
}

impl Reading<'_> {
    fn begin(&mut self, element: &Element<'_>) -> Result<(), String> {
        let kind = match &*element.name() {
            "row" => {
                if let Some(row) = element.raw("r").and_then(|row| row_of(&row)) {
                    self.row = row;
                }
                if element.has("hidden") {
                    let place = format!("{} row {}", self.sheet.name, self.row + 1);
                    self.losses.note(Lost::HiddenRows, || place);
                }
                self.groups(element);
                return Ok(());
            }
            "c" => {
                self.cell(element);
                return Ok(());
            }
            "f" => return self.formula(element),
            "col" => {
                self.column(element);
                return Ok(());
            }
            "sheetFormatPr" => {
                self.usual_width = element.number("defaultColWidth").map_or(self.usual_width, pixels);
                return Ok(());
            }
            "dataValidation" => {
                self.rule(element);
                return Ok(());
            }
            "formula1" | "formula2" => {
                self.operand = Some(usize::from(element.is("formula2")));
                return Ok(());
            }
            "rPr" => Lost::RichText,
            "mergeCell" => Lost::MergedCells,
            "conditionalFormatting" => Lost::ConditionalFormats,
            "hyperlink" => Lost::Links,
            "pane" => Lost::FrozenPanes,
            "autoFilter" => Lost::Filters,
            "sheetProtection" | "protectedRange" => Lost::Protection,
            "oddHeader" | "oddFooter" | "evenHeader" | "evenFooter" | "firstHeader" | "firstFooter" | "brk" => {
                Lost::PrintLayout
            }
            "sparklineGroup" => Lost::Charts,
            "oleObject" | "control" => Lost::Objects,
            _ => return Ok(()),
        };
        let (sheet, cell) = (self.sheet, self.cell);
        self.losses.note(kind, || match (element.raw("ref").or_else(|| element.raw("sqref")), cell) {
            (Some(range), _) => format!("{}!{range}", sheet.name),
            (None, Some((cell, _))) => format!("{}!{cell}", sheet.name),
            (None, None) => sheet.name.clone(),
        });
        Ok(())
    }

    fn cell(&mut self, element: &Element<'_>) {
        let named = element.raw("r").and_then(|name| position(&name));
        let cell = named.unwrap_or(Cell { row: self.row, column: self.column });
        self.column = cell.column;
        self.cell = Some((cell, 0));
        // Style 0 is the default of the workbook.
        let Some(number) = element.number::<u32>("s").filter(|number| *number > 0) else { return };
        let Some(style) = self.styles.get(number as usize) else { return };
        let place = || format!("{}!{cell}", self.sheet.name);
        if style.has_look {
            self.losses.note(Lost::Styles, place);
        }
        if (style.number.is_none() && style.layout == CellFormat::default()) || place_of(cell).is_none() {
            return;
        }
        if !self.set_note(cell, number) {
            self.losses.note(Lost::Layout, place);
        }
    }

    fn formula(&mut self, element: &Element<'_>) -> Result<(), String> {
        let is_array = matches!(element.raw("t").as_deref(), Some("array" | "dataTable"));
        let Some((cell, _)) = self.cell.filter(|_| is_array) else { return Ok(()) };
        if self.set_note(cell, ARRAY) { Ok(()) } else { Err("must have fewer cells".to_owned()) }
    }

    /// False if there is no room.
    fn set_note(&mut self, cell: Cell, note: u32) -> bool {
        let Some(place) = place_of(cell) else { return true };
        if let Some(known) = self.notes.cells.get_mut(&place) {
            *known = if note == ARRAY { *known | ARRAY } else { note | (*known & ARRAY) };
            return true;
        }
        let Some(left) = self.room.cells.checked_sub(1) else { return false };
        self.room.cells = left;
        self.notes.cells.insert(place, note);
        true
    }

    fn groups(&mut self, element: &Element<'_>) {
        if element.number("outlineLevel").is_some_and(|level: u32| level > 0) {
            self.losses.note(Lost::Groups, || self.sheet.name.clone());
        }
    }

    fn rule(&mut self, element: &Element<'_>) {
        let ranges = element.text("sqref").unwrap_or_default();
        if self.room.rule_bytes < ranges.len() || self.notes.rules.len() == ENTRIES {
            return self.losses.note(Lost::Validations, || self.sheet.name.clone());
        }
        self.room.rule_bytes -= ranges.len();
        let kind = element.text("type").unwrap_or_default();
        self.rule = Some(RuleNote { ranges, kind, ..RuleNote::default() });
    }

    fn column(&mut self, element: &Element<'_>) {
        self.groups(element);
        let (first, last) = (element.number::<usize>("min").unwrap_or(1), element.number::<usize>("max").unwrap_or(1));
        let is_own = element.has("hidden") || element.has("customWidth");
        let width = match element.number("width") {
            _ if element.has("hidden") => 0,
            Some(width) => pixels(width),
            None => return,
        };
        let (first, last) = (first.max(1), last.min(COLUMNS));
        if first > last {
            return;
        }
        if self.notes.widths.len() < last {
            self.notes.widths.resize(last, self.usual_width);
        }
        self.notes.widths[first - 1..last].fill(width);
        if is_own {
            self.own_widths = self.own_widths.max(last);
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "row" => {
                self.row += 1;
                self.column = 0;
            }
            "c" => {
                self.cell = None;
                self.column += 1;
            }
            "formula1" | "formula2" => self.operand = None,
            "dataValidation" => self.notes.rules.extend(self.rule.take()),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) -> Result<(), String> {
        if let Some((cell, bytes)) = &mut self.cell {
            *bytes += text.len();
            if *bytes > CELL_BYTES {
                return Err(format!("{cell} of sheet {} must be at most 10000 characters", self.number));
            }
        }
        if let (Some(rule), Some(operand)) = (&mut self.rule, self.operand) {
            let known = &mut rule.operands[operand];
            // An incomplete rule is not kept.
            if let Some(left) = self.room.rule_bytes.checked_sub(text.len()) {
                self.room.rule_bytes = left;
                known.push_str(text);
            }
        }
        Ok(())
    }
}

/// Widths are in characters of seven pixels.
#[expect(clippy::cast_possible_truncation, reason = "at most 600")]
fn pixels(characters: f64) -> i64 {
    (characters * 7.0).round().clamp(0.0, MAX_WIDTH) as i64
}

/// `B2`, also beyond the sizes that we allow.
pub fn position(name: &str) -> Option<Cell> {
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    Some(Cell { row: row_of(&name[digits..])?, column: column_of(&name[..digits].to_ascii_uppercase())? })
}
