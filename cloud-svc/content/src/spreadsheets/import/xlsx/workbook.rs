//! Reads the cells of a workbook one by one. A sheet may declare a size that no memory has, so nothing is allocated by
//! it.

use std::io::Cursor;

use calamine::{DataRef, Reader as _, SheetType, Xlsx, XlsxError, open_workbook_from_rs};

use super::{
    cell_text,
    examined::Examined,
    formula::{Found, SharedFormulas},
    last_values::LastValues,
    sheet_notes::SheetNotes,
};
use crate::lost::{Losses, Lost};
use crate::office::xml::broken;
use crate::spreadsheets::import::cells::Cells;
use crate::spreadsheets::{
    a1::cell::Cell,
    content::{
        CONTENT_BYTES,
        sheet::{SHEETS, Sheet},
    },
    formula::{is_formula, sheet_names::SheetNames},
    literal::number,
    xlsx::number::in_zeros,
};

// A cell in compact JSON: `"",`.
const CELL_BYTES: usize = 3;

/// Reads all worksheets, also hidden ones, and the values that their formulas had.
pub fn read(bytes: &[u8], examined: &mut Examined) -> Result<(Vec<Sheet>, LastValues), String> {
    let mut workbook: Xlsx<_> = open_workbook_from_rs(Cursor::new(bytes)).map_err(unreadable)?;
    let all = workbook.sheets_metadata().iter();
    let names: Vec<String> =
        all.filter(|sheet| sheet.typ == SheetType::WorkSheet).map(|sheet| sheet.name.clone()).collect();
    if !(1..=SHEETS).contains(&names.len()) {
        return Err(format!("must have 1 to {SHEETS} sheets, has {}", names.len()));
    }
    let Examined { styles, sheets, losses } = examined;
    let known = names.iter().map(String::as_str).collect();
    let mut reading = Reading { sheets: &known, losses, last_values: LastValues::default(), bytes_left: CONTENT_BYTES };
    let mut read = Vec::new();
    for (name, (_, notes)) in names.iter().map(String::as_str).zip(sheets) {
        let style = |cell| notes.style(cell, styles).and_then(|style| style.number.as_deref());
        let sheet = reading.sheet(&mut workbook, (read.len(), name), notes, &style)?;
        read.push(sheet);
    }
    Ok((read, reading.last_values))
}

struct Reading<'a> {
    sheets: &'a SheetNames,
    losses: &'a mut Losses,
    last_values: LastValues,
    bytes_left: usize,
}

impl Reading<'_> {
    fn sheet<'s>(
        &mut self,
        workbook: &mut Xlsx<Cursor<&[u8]>>,
        (index, name): (usize, &str),
        notes: &SheetNotes,
        number_format: &dyn Fn(Cell) -> Option<&'s str>,
    ) -> Result<Sheet, String> {
        let (mut cells, mut shared) = (Cells::default(), SharedFormulas::default());
        let mut records = workbook.worksheet_cells_reader(name).map_err(unreadable)?;
        while let Some(record) = records.next_cell_with_formula_metadata().map_err(unreadable)? {
            let cell = Cell { row: record.pos.0 as usize, column: record.pos.1 as usize };
            let at = || format!("{name}!{cell}");
            let formula =
                record.formula.and_then(|formula| shared.resolve(cell, formula, notes.is_array(cell), self.sheets));
            let text = match formula {
                Some(Found::Formula(formula)) => {
                    self.last_values.note(index, cell, &formula, &record.value);
                    // Here the value of a formula is shown without a format.
                    let has_format = number_format(cell).is_some();
                    if has_format && matches!(record.value, DataRef::Float(_) | DataRef::DateTime(_) | DataRef::Empty) {
                        self.losses.note(Lost::NumberFormats, at);
                    }
                    Some(formula)
                }
                Some(Found::Foreign(source, what)) => {
                    let value = self.value(&record.value, number_format(cell), at);
                    self.losses.formula(at, &source, value.as_deref().unwrap_or_default(), what);
                    value
                }
                None => self.value(&record.value, number_format(cell), at),
            };
            let Some(text) = text else { continue };
            // Many cells may share one long text, so the size of the unpacked parts does not bound them.
            self.take(text.len())?;
            // By its number: others may have chosen the name, and a refusal quotes no names.
            cells.set(cell.row, cell.column, text).map_err(|rule| format!("sheet {} {rule}", index + 1))?;
        }
        let sheet = cells.sheet(name.to_owned());
        // Padded rows have cells that no part of the workbook has.
        self.take(CELL_BYTES * sheet.rows() * sheet.columns())?;
        Ok(sheet)
    }

    fn take(&mut self, bytes: usize) -> Result<(), String> {
        let left = self.bytes_left.checked_sub(bytes);
        self.bytes_left =
            left.ok_or_else(|| format!("must have at most {CONTENT_BYTES} bytes of text in its cells"))?;
        Ok(())
    }

    fn value(&mut self, value: &DataRef<'_>, number_format: Option<&str>, at: impl Fn() -> String) -> Option<String> {
        let text = cell_text::text(value, number_format)?;
        match value {
            DataRef::DateTime(_) | DataRef::DateTimeIso(_) | DataRef::DurationIso(_) => {
                self.losses.note(Lost::DatesAsText, &at);
            }
            DataRef::Float(number) if number_format.is_some_and(|format| in_zeros(*number, format).is_none()) => {
                self.losses.note(Lost::NumberFormats, &at);
            }
            DataRef::Error(_) => self.losses.note(Lost::ErrorsAsText, &at),
            // Here the text alone says what it is.
            DataRef::String(_) | DataRef::SharedString(_)
                if number(&text).is_some() || matches!(&*text, "TRUE" | "FALSE") =>
            {
                self.losses.note(Lost::TextLikeNumber, &at);
            }
            _ => {}
        }
        if !is_formula(&text) {
            return Some(text);
        }
        self.losses.note(Lost::TextLikeFormula, &at);
        Some(format!("'{text}"))
    }
}

fn unreadable(error: XlsxError) -> String {
    broken(&error)
}
