//! The operations on spreadsheets.

use serde::Serialize;
use serde_json::Value;
use shared_model::{
    JsonReader,
    openapi_schema::ObjectSchema,
    rule::{Array, Integer, Rule},
};
use utoipa::openapi::{Object, RefOr, Schema};

use crate::{
    name_key::name_key,
    spreadsheets::{
        a1::{
            cell::{Cell, ROWS},
            column::{COLUMNS, Column},
            range::{Bounded, CellRange},
            sent::{plain_range, split_sheet},
        },
        content::{
            cell_rule::CellRule,
            format::CellAlign,
            sheet::{CellText, Cells, SHEETS, SheetName, check_rows},
            widths::SheetWidths,
        },
    },
};

crate::operations! {
    /// An edit of a spreadsheet.
    pub enum SpreadsheetOperation {
        "set_cells" => SetCells,
        "fill" => Fill,
        "clear_range" => ClearRange,
        "insert_rows" => InsertRows,
        "delete_rows" => DeleteRows,
        "insert_columns" => InsertColumns,
        "delete_columns" => DeleteColumns,
        "add_sheet" => AddSheet,
        "rename_sheet" => RenameSheet,
        "delete_sheet" => DeleteSheet,
        "set_format" => SetFormat,
        "set_validation" => SetValidation,
        "set_widths" => SetWidths,
    }
    prepare = sheet_of_range;
}

shared_model::json_object! {
    /// Sets the text of cells, formulas as they are sent. The sheet grows if there is text beyond its last row or column.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_cells")]
    pub struct SetCells {
        pub sheet: String as SheetName,
        pub range: CellRange as Bounded,
        /// What to write, in rows and columns like those of the range.
        pub values: Vec<Vec<String>> as Array<Array<CellText, 1, COLUMNS>, 1, 1000>,
    }
    example = {"op": "set_cells", "sheet": "Budget", "range": "A2:B3", "values": [["Food", "250"], ["Sum", "=SUM(B1:B2)"]]};
    check = check_shape;
    describe = may_name_sheet;

    /// Copies the text of cells to a range, as often as it fits. Relative references in formulas move along; those with
    /// `$` stay. What would refer beyond the sheet becomes `#REF!`. Formats and rules are not copied.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "fill")]
    pub struct Fill {
        pub sheet: String as SheetName,
        /// One cell, or some. A row of them is for a range of as many columns, a column for as many rows.
        pub from: CellRange as Bounded,
        /// Where to. Its height and width are multiples of those of `from`, which it may contain.
        pub range: CellRange as Bounded,
    }
    example = {"op": "fill", "sheet": "Budget", "from": "D2", "range": "D3:D9"};
    describe = may_name_sheet;

    /// Empties cells.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "clear_range")]
    pub struct ClearRange {
        pub sheet: String as SheetName,
        pub range: CellRange as Bounded,
    }
    describe = may_name_sheet;

    /// Inserts empty rows. Formulas follow: references below the place move. A range of several rows grows when rows
    /// come between its rows, directly before them or directly after them.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "insert_rows")]
    pub struct InsertRows {
        pub sheet: String as SheetName,
        /// Inserts before this row, from 1. The number after the last row appends.
        pub row: usize as FromOne<{ ROWS as i64 }>,
        pub count: usize as FromOne<{ ROWS as i64 }>,
    }

    /// Deletes rows. Formulas follow: references below the place move, ranges shrink, and what refers to nothing but
    /// deleted cells becomes `#REF!`.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "delete_rows")]
    pub struct DeleteRows {
        pub sheet: String as SheetName,
        /// The first row, from 1.
        pub row: usize as FromOne<{ ROWS as i64 }>,
        pub count: usize as FromOne<{ ROWS as i64 }>,
    }

    /// Inserts empty columns. Formulas follow as with `insert_rows`.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "insert_columns")]
    pub struct InsertColumns {
        pub sheet: String as SheetName,
        /// Inserts before this column. The column after the last appends.
        pub column: Column,
        pub count: usize as FromOne<{ COLUMNS as i64 }>,
    }

    /// Deletes columns. Formulas follow as with `delete_rows`.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "delete_columns")]
    pub struct DeleteColumns {
        pub sheet: String as SheetName,
        pub column: Column,
        pub count: usize as FromOne<{ COLUMNS as i64 }>,
    }

    /// Adds a sheet.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "add_sheet")]
    pub struct AddSheet {
        pub name: String as SheetName,
        /// Rows with the same number of cells each.
        pub cells: Vec<Vec<String>> as Cells,
        /// Its index among the sheets, from 0. At the end if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub index: Option<i64> as Integer<0, { SHEETS as i64 - 1 }>,
    }
    check = check_rows;

    /// Renames a sheet, also in all formulas.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "rename_sheet")]
    pub struct RenameSheet {
        pub sheet: String as SheetName,
        /// The new name.
        pub name: String as SheetName,
    }

    /// Deletes a sheet, with the formats, validation rules and widths of its cells. References to it become `#REF!`.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "delete_sheet")]
    pub struct DeleteSheet {
        pub sheet: String as SheetName,
    }

    /// Replaces the format of cells.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_format")]
    pub struct SetFormat {
        pub sheet: String as SheetName,
        pub range: CellRange as Bounded,
        /// The side of the cell. The editor chooses if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub align: Option<CellAlign>,
        /// Whether long text continues on another line. The editor chooses if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub wrap: Option<bool>,
    }
    example = {"op": "set_format", "sheet": "Budget", "range": "B1:B3", "align": "right"};
    describe = may_name_sheet;

    /// Sets the validation rule of cells. Their current text is not checked.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_validation")]
    pub struct SetValidation {
        pub sheet: String as SheetName,
        pub range: CellRange as Bounded,
        /// The rule; null removes it.
        pub rule: Option<CellRule> | null,
    }
    describe = may_name_sheet;

    /// Sets the widths of all columns of a sheet.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "set_widths")]
    pub struct SetWidths {
        pub sheet: String as SheetName,
        /// Widths from the first column. Columns beyond the list have the usual width.
        pub widths: Vec<i64> as SheetWidths,
    }
}

impl Fill {
    /// The cell that this cell of the range is copied from. It may be the same cell.
    pub fn source_of(&self, cell: Cell) -> Cell {
        let (from, to) = (self.from, self.range.first());
        let Cell { row, column } = from.first();
        Cell {
            row: row + (cell.row - to.row) % from.rows().len(),
            column: column + (cell.column - to.column) % from.columns().len(),
        }
    }
}

/// Takes the sheet out of `Budget!A1:B2`, and refuses another than that of the operation.
fn sheet_of_range(reader: &JsonReader<'_>) -> Option<Value> {
    let mut prepared = None;
    for member in ["from", "range"] {
        let text = reader.value().get(member).and_then(Value::as_str).unwrap_or_default();
        let (Some(name), range) = split_sheet(text) else { continue };
        let operation = prepared.get_or_insert_with(|| reader.value().clone());
        operation[member] = range.into();
        match operation.get("sheet") {
            None => operation["sheet"] = name.into(),
            Some(Value::String(sheet)) if name_key(sheet) != name_key(&name) => {
                reader.note(&format!("/{member}"), "must be on the sheet that the member \"sheet\" names");
            }
            Some(_) => {}
        }
    }
    prepared
}

/// The range may name the sheet instead.
fn may_name_sheet(schema: ObjectSchema) -> RefOr<Schema> {
    let mut object = Object::from(schema);
    object.required.retain(|member| member != "sheet");
    RefOr::T(Schema::Object(object))
}

fn check_shape(reader: &JsonReader<'_>, _: Option<&SetCells>) {
    let range = reader
        .value()
        .get("range")
        .and_then(Value::as_str)
        .and_then(|text| plain_range(text).parse::<CellRange>().ok());
    let rows = reader.value().get("values").and_then(Value::as_array);
    let (Some(range), Some(rows)) = (range, rows) else { return };
    let (height, width) = (range.rows().len(), range.columns().len());
    if rows.len() != height {
        reader.note("/values", format!("must have as many rows as {range}, {height}, has {}", rows.len()));
    }
    for (index, row) in rows.iter().enumerate() {
        if let Some(has) = row.as_array().map(Vec::len).filter(|has| *has != width) {
            let rule = format!("must have as many cells as {range} has columns, {width}, has {has}");
            reader.note(&format!("/values/{index}"), rule);
        }
    }
}

/// An integer from 1 to `MAX`.
pub struct FromOne<const MAX: i64>;

impl<const MAX: i64> Rule for FromOne<MAX> {
    type Value = usize;

    fn read(reader: &JsonReader<'_>) -> Option<usize> {
        Integer::<1, MAX>::read(reader).and_then(|number| usize::try_from(number).ok())
    }

    fn schema() -> RefOr<Schema> {
        Integer::<1, MAX>::schema()
    }
}
