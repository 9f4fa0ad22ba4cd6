//! The content of spreadsheets.

pub mod by_cell;
pub mod cell_key;
pub mod cell_rule;
pub mod format;
pub mod sheet;
pub mod widths;

#[cfg(test)]
mod tests;

use std::io;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_model::{
    JsonReader, Problem,
    rule::{Array, Rule},
    text,
};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

use self::{
    by_cell::ByCell,
    cell_key::CellKey,
    cell_rule::CellRule,
    format::CellFormat,
    sheet::{SHEETS, Sheet},
    widths::Widths,
};
use super::{
    a1::cell::Cell,
    formula::{self, sheet_names::SheetNames},
};

/// The most bytes of the content as compact JSON.
pub const CONTENT_BYTES: usize = 1_000_000;

shared_model::json_object! {
    /// A workbook.
    // The order of the fields is the order of the members in the canonical text.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct SpreadsheetContent {
        pub kind: SpreadsheetKind,
        /// The sheets in order. The whole content has at most 1000000 bytes of compact JSON.
        pub sheets: Vec<Sheet> as Array<Sheet, 1, SHEETS>,
        /// Formats by cell.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub formats: Option<ByCell<CellFormat>>,
        /// Validation rules by cell.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub validation: Option<ByCell<CellRule>>,
        /// Widths of columns.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub widths: Option<Widths>,
        /// Opaque data of an editor. A workbook that has it is read-only.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub univer: Option<String> as Univer,
    }
    example = {
        "kind": "sheets",
        "sheets": [{"name": "Budget", "cells": [["Rent", "900"], ["Food", "250"], ["Sum", "=SUM(B1:B2)"]]}],
        "formats": {"0:0:1": {"align": "right"}},
        "validation": {"0:0:1": {"type": "number"}},
        "widths": [[120, 80]]
    };
    check = check_whole;
}

shared_model::text_enum! {
    /// The kind of spreadsheet content.
    pub enum SpreadsheetKind {
        Sheets = "sheets",
    }
}

/// Text of at most 700000 characters, with any number of bytes.
pub struct Univer;

impl Univer {
    const CHARACTERS: usize = 700_000;
}

impl Rule for Univer {
    type Value = String;

    fn read(reader: &JsonReader<'_>) -> Option<String> {
        let text = reader.str()?;
        let length = text.chars().count();
        if length > Self::CHARACTERS {
            return reader.refuse(format!("must be at most {} characters, has {length}", Self::CHARACTERS));
        }
        // A character has at most four bytes: this checks the characters alone, not the length.
        reader.text(4 * Self::CHARACTERS)
    }

    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).max_length(Some(Self::CHARACTERS));
        text.pattern(Some(text::PATTERN)).into()
    }
}

// Reads the untyped value: there is no typed one when a member is wrong, and all problems are reported at once.
fn check_whole(reader: &JsonReader<'_>, content: Option<&SpreadsheetContent>) {
    let mut names = SheetNames::default();
    let sheets = reader.value().get("sheets").and_then(Value::as_array);
    for (index, sheet) in sheets.into_iter().flatten().take(SHEETS).enumerate() {
        if sheet.get("name").and_then(Value::as_str).is_some_and(|name| !names.insert(name)) {
            reader.note(&format!("/sheets/{index}/name"), "must be unique among the sheets, regardless of case");
        }
    }
    // What is stored is longer than what was sent where a number becomes text. Without the content, the untyped value is
    // about as long: it has lost the whitespace that was sent.
    let bytes = content.map_or_else(|| json_bytes(reader.value()), json_bytes);
    if bytes > CONTENT_BYTES {
        reader.note("", format!("must be at most {CONTENT_BYTES} bytes of compact JSON, has {bytes}"));
    }
}

/// The bytes of a value as compact JSON.
pub fn json_bytes(value: &impl Serialize) -> usize {
    // Counts without writing: a megabyte of text would be built only to be measured.
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    serde_json::to_writer(&mut count, value).expect("content is JSON, and nothing is written anywhere");
    count.0
}

impl SpreadsheetContent {
    /// Whether plans cannot edit the workbook.
    pub fn is_read_only(&self) -> bool {
        // We cannot update an editor's opaque data, and it would no longer fit the edited cells.
        self.univer.is_some()
    }

    /// The sheet with exactly this name, and its index.
    pub fn sheet(&self, name: &str) -> Option<(usize, &Sheet)> {
        self.sheets.iter().enumerate().find(|(_, sheet)| sheet.name == name)
    }

    /// The names to which formulas can refer.
    pub fn sheet_names(&self) -> SheetNames {
        self.sheets.iter().map(|sheet| sheet.name.as_str()).collect()
    }

    /// Gives formats and validation rules the new keys of their cells. Entries without one are dropped.
    pub fn move_keys(&mut self, new_key: impl Fn(CellKey) -> Option<CellKey>) {
        self.formats.iter_mut().for_each(|formats| formats.move_keys(&new_key));
        self.validation.iter_mut().for_each(|rules| rules.move_keys(&new_key));
    }

    /// The problems of all formulas, each with a JSON pointer within the content.
    pub fn formula_problems(&self) -> Vec<Problem> {
        let sheets = self.sheets.iter().enumerate();
        let texts = sheets.flat_map(|(index, sheet)| sheet.texts().map(move |(cell, text)| ((index, cell), text)));
        formula::problems(texts, &self.sheet_names(), |(sheet, Cell { row, column })| {
            format!("/sheets/{sheet}/cells/{row}/{column}")
        })
    }
}
