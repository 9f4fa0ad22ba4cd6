//! Alignment, column widths and validation rules.

use std::collections::{BTreeMap, HashMap};

use rust_xlsxwriter::{DataValidation, DataValidationRule, Format, FormatAlign, Worksheet, XlsxError};

use crate::spreadsheets::{
    a1::{cell::Cell, range::CellRange},
    content::{
        SpreadsheetContent,
        cell_rule::CellRule,
        format::{CellAlign, CellFormat},
    },
};

// The size of a sheet in spreadsheet programs: formats may belong to cells beyond it.
const ROWS: usize = 1_048_576;
const COLUMNS: usize = 16_384;
// The most characters of a list of choices.
const LIST_CHARACTERS: usize = 255;
/// Every number that a cell can have.
pub const ANY_NUMBER: f64 = 1e307;

/// All that a cell's format says.
#[derive(Default)]
pub struct CellStyle {
    layout: CellFormat,
    pub number: Option<String>,
    /// Whether the text stays text when it is edited.
    pub is_quoted: bool,
}

impl CellStyle {
    pub fn is_plain(&self) -> bool {
        self.layout == CellFormat::default() && self.number.is_none() && !self.is_quoted
    }

    pub fn format(&self) -> Format {
        let mut format = Format::new();
        format = match self.layout.align {
            Some(CellAlign::Left) => format.set_align(FormatAlign::Left),
            Some(CellAlign::Center) => format.set_align(FormatAlign::Center),
            Some(CellAlign::Right) => format.set_align(FormatAlign::Right),
            None => format,
        };
        if self.layout.wrap == Some(true) {
            format = format.set_text_wrap();
        }
        if let Some(number) = &self.number {
            format = format.set_num_format(number);
        }
        if self.is_quoted { format.set_quote_prefix() } else { format }
    }
}

pub struct Layout<'a> {
    formats: BTreeMap<Cell, CellFormat>,
    widths: &'a [i64],
    rules: Vec<(&'a CellRule, Vec<Cell>)>,
}

impl<'a> Layout<'a> {
    /// Of the sheet with this index.
    pub fn of(content: &'a SpreadsheetContent, sheet: usize) -> Self {
        let formats = content.formats.iter().flat_map(|formats| formats.iter());
        let formats = formats.filter(|(key, _)| key.sheet == sheet).map(|(key, format)| (key.cell, *format)).collect();
        let mut rules: Vec<(&CellRule, Vec<Cell>)> = Vec::new();
        let mut index = HashMap::new();
        for (key, rule) in content.validation.iter().flat_map(|rules| rules.iter()) {
            if key.sheet == sheet && key.cell.row < ROWS && key.cell.column < COLUMNS {
                let at = *index.entry(rule).or_insert_with(|| {
                    rules.push((rule, Vec::new()));
                    rules.len() - 1
                });
                rules[at].1.push(key.cell);
            }
        }
        let widths = content.widths.as_ref().map_or(&[][..], |widths| widths.of(sheet));
        Self { formats, widths, rules }
    }

    pub fn take_style(&mut self, cell: Cell) -> CellStyle {
        CellStyle { layout: self.formats.remove(&cell).unwrap_or_default(), ..CellStyle::default() }
    }

    /// Widths, rules, and formats of cells that have no text.
    pub fn write_rest(self, sheet: &mut Worksheet) -> Result<(), XlsxError> {
        for (column, width) in self.widths.iter().enumerate() {
            let column = u16::try_from(column).map_err(|_| XlsxError::RowColumnLimitError)?;
            sheet.set_column_width_pixels(column, u32::try_from(*width).unwrap_or_default())?;
        }
        for (cell, layout) in self.formats {
            let style = CellStyle { layout, ..CellStyle::default() };
            if let (Ok(row), Ok(column)) = (u32::try_from(cell.row), u16::try_from(cell.column))
                && cell.row < ROWS
                && cell.column < COLUMNS
                && !style.is_plain()
            {
                sheet.write_blank(row, column, &style.format())?;
            }
        }
        for (rule, cells) in self.rules {
            let Some(rule) = validation(rule)? else { continue };
            let (Some(first), ranges) = (cells.first(), ranges(&cells)) else { continue };
            let row = u32::try_from(first.row).map_err(|_| XlsxError::RowColumnLimitError)?;
            let column = u16::try_from(first.column).map_err(|_| XlsxError::RowColumnLimitError)?;
            sheet.add_data_validation(row, column, row, column, &rule.set_multi_range(ranges))?;
        }
        Ok(())
    }
}

/// `None` if programs have no such rule: their choices have no commas, and not more than 255 characters.
fn validation(rule: &CellRule) -> Result<Option<DataValidation>, XlsxError> {
    // A warning, as it is here: the cell takes another text all the same.
    let new = DataValidation::new().set_error_style(rust_xlsxwriter::DataValidationErrorStyle::Warning);
    Ok(match rule {
        CellRule::Number => Some(new.allow_decimal_number(DataValidationRule::Between(-ANY_NUMBER, ANY_NUMBER))),
        CellRule::List { values } => {
            let characters = values.iter().map(|value| value.encode_utf16().count() + 1).sum::<usize>();
            let is_allowed =
                |value: &String| !value.is_empty() && value.trim() == value && !value.contains([',', '"', '\n', '\t']);
            if characters > LIST_CHARACTERS || !values.iter().all(is_allowed) {
                return Ok(None);
            }
            Some(new.allow_list_strings(values)?)
        }
    })
}

/// `B2:B9 C3`, from cells in reading order.
fn ranges(cells: &[Cell]) -> String {
    let mut by_column: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for cell in cells {
        by_column.entry(cell.column).or_default().push(cell.row);
    }
    let runs = by_column.iter().flat_map(|(column, rows)| {
        let runs = rows.chunk_by(|row, next| row + 1 == *next);
        runs.filter_map(|run| {
            let at = |row: Option<&usize>| row.map(|row| Cell { row: *row, column: *column });
            CellRange::new(at(run.first())?, at(run.last())?)
        })
    });
    runs.map(|range| range.to_string()).collect::<Vec<_>>().join(" ")
}
