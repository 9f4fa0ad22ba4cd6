//! A sheet: a name, and rows of cells.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use shared_model::{
    JsonReader,
    rule::{Array, OneLine, Rule, Text},
    text,
};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type, schema::SchemaType};

use crate::spreadsheets::a1::{
    cell::{Cell, ROWS},
    column::COLUMNS,
};

/// The most sheets of a workbook.
pub const SHEETS: usize = 10;

/// The most bytes of a cell.
pub const CELL_BYTES: usize = 10_000;

pub type SheetName = OneLine<80>;
/// What a cell is sent as: text, or a value whose text is stored. `120`, `true` and null are `120`, `TRUE` and empty.
pub struct CellText;

impl Rule for CellText {
    type Value = String;

    fn read(reader: &JsonReader<'_>) -> Option<String> {
        match reader.value() {
            Value::String(_) => Text::<CELL_BYTES>::read(reader),
            Value::Bool(value) => Some(value.to_string().to_ascii_uppercase()),
            Value::Null => Some(String::new()),
            Value::Number(number) => Some(number_text(number)),
            Value::Array(_) | Value::Object(_) => reader.refuse("must be a string, a number, true, false or null"),
        }
    }

    fn schema() -> RefOr<Schema> {
        let types = SchemaType::from_iter([Type::String, Type::Number, Type::Boolean, Type::Null]);
        let description =
            "Text. A number, a boolean or null is stored as text: `120`, `TRUE`, empty. Answers have text.";
        ObjectBuilder::new()
            .schema_type(types)
            .description(Some(description))
            .max_length(Some(CELL_BYTES))
            .pattern(Some(text::PATTERN))
            .into()
    }
}

/// The shortest text that reads back as the number.
fn number_text(number: &Number) -> String {
    match number.as_f64() {
        // Integers keep all their digits. `120.0` is `120`: a person sees one number.
        Some(fraction) if number.is_f64() => ryu_js::Buffer::new().format(fraction).to_owned(),
        _ => number.to_string(),
    }
}

/// The rows of a sheet. [`check_rows`] checks that they have equal length.
pub type Cells = Array<Array<CellText, 1, COLUMNS>, 1, ROWS>;

shared_model::json_object! {
    /// One sheet of a workbook.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Sheet {
        /// Unique in the workbook, without regard to case.
        pub name: String as SheetName,
        /// Rows with the same number of cells each. Text that begins with `=` is a formula.
        pub cells: Vec<Vec<String>> as Cells,
    }
    check = check_rows;
}

/// Notes each row in the member `cells` that is not as long as the first.
pub fn check_rows<T>(reader: &JsonReader<'_>, _: Option<&T>) {
    // Generic and on the untyped value: operations that bring a sheet have the same member and the same rule.
    let length = |row: &Value| row.as_array().map(Vec::len);
    let rows = reader.value().get("cells").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let Some(width) = rows.first().and_then(length) else { return };
    let ragged =
        rows.iter().enumerate().filter_map(|(index, row)| Some((index, length(row).filter(|has| *has != width)?)));
    for (index, has) in ragged {
        let rule = format!("must have as many cells as the first row, {width}, has {has}");
        reader.note(&format!("/cells/{index}"), rule);
    }
}

impl Sheet {
    pub fn rows(&self) -> usize {
        self.cells.len()
    }

    pub fn columns(&self) -> usize {
        self.cells.first().map_or(0, Vec::len)
    }

    /// `None` beyond the last row or column.
    pub fn text(&self, cell: Cell) -> Option<&str> {
        Some(self.cells.get(cell.row)?.get(cell.column)?)
    }

    /// All cells, row by row.
    pub fn texts(&self) -> impl Iterator<Item = (Cell, &str)> {
        self.cells.iter().enumerate().flat_map(|(row, cells)| {
            cells.iter().enumerate().map(move |(column, text)| (Cell { row, column }, text.as_str()))
        })
    }
}
