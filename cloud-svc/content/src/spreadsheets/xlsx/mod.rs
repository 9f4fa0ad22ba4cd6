//! A workbook as Office Open XML (`.xlsx`), for spreadsheet programs.

mod accepted;
mod layout;
pub mod number;
mod results;
mod sheet_names;
#[cfg(test)]
mod tests;
mod value;

pub use self::layout::ANY_NUMBER;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Formula, Workbook, Worksheet, XlsxError};

use self::{
    accepted::is_accepted,
    layout::{CellStyle, Layout},
    results::Results,
    sheet_names::OtherNames,
    value::{Value, value},
};
use super::{a1::cell::Cell, content::SpreadsheetContent, csv::looks_like_formula};

pub const MEDIA_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The whole workbook. The same content gives the same bytes.
pub fn xlsx(content: &SpreadsheetContent) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    // The library would write the present time, and a download link promises the digest of the bytes.
    let long_ago = ExcelDateTime::from_ymd(2000, 1, 1)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&long_ago));
    let names = OtherNames::of(&content.sheets);
    let mut results = Results::of(content);
    for (index, sheet) in content.sheets.iter().enumerate() {
        let mut layout = Layout::of(content, index);
        let written = workbook.add_worksheet();
        written.set_name(names.of_sheet(index))?;
        // A formula without a value, which the library would show as 0. Programs calculate when they open the file.
        written.set_formula_result_default("");
        for (cell, text) in sheet.texts() {
            let style = layout.take_style(cell);
            write_cell(written, cell, text, style, &names, || results.of_cell(index, cell))?;
        }
        layout.write_rest(written)?;
    }
    workbook.save_to_buffer()
}

fn write_cell(
    sheet: &mut Worksheet,
    Cell { row, column }: Cell,
    text: &str,
    mut style: CellStyle,
    names: &OtherNames,
    result: impl FnOnce() -> String,
) -> Result<(), XlsxError> {
    let (Ok(row), Ok(column)) = (u32::try_from(row), u16::try_from(column)) else {
        return Err(XlsxError::RowColumnLimitError);
    };
    match value(text) {
        Value::Empty => {
            if !style.is_plain() {
                sheet.write_blank(row, column, &style.format())?;
            }
        }
        Value::Formula => {
            let formula = names.renamed(text);
            if is_accepted(text, &formula) {
                let formula = Formula::new(formula).set_result(result());
                sheet.write_formula_with_format(row, column, formula, &style.format())?;
            } else {
                style.is_quoted = true;
                sheet.write_string_with_format(row, column, text, &style.format())?;
            }
        }
        Value::Number { number, format } => {
            style.number = format;
            sheet.write_number_with_format(row, column, number, &style.format())?;
        }
        Value::Boolean(is_so) => {
            sheet.write_boolean_with_format(row, column, is_so, &style.format())?;
        }
        Value::Text => {
            // Otherwise the text becomes a formula when a person edits the cell.
            style.is_quoted = looks_like_formula(text);
            sheet.write_string_with_format(row, column, text, &style.format())?;
        }
    }
    Ok(())
}
