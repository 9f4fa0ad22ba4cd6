//! A column: `B`.

use std::{fmt, str::FromStr};

use serde::{Serialize, Serializer};

/// The most columns of a sheet: A to BL.
pub const COLUMNS: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Column(pub usize);

pub fn letters(column: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        // There is no digit for zero: `Z` is 26 and `AA` 27.
        rest -= 1;
        letters.push(char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[rest % 26]));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// Reads up to three capital letters: formulas may refer beyond our own bound.
pub fn column_of(letters: &str) -> Option<usize> {
    if !(1..=3).contains(&letters.len()) || !letters.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    Some(letters.bytes().fold(0, |column, letter| column * 26 + usize::from(letter - b'A') + 1) - 1)
}

impl FromStr for Column {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        column_of(text).filter(|column| *column < COLUMNS).map(Self).ok_or(())
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&letters(self.0))
    }
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

shared_model::text_in_json!(
    Column,
    ["The letters of a column of a sheet."],
    pattern = "^([A-Z]|A[A-Z]|B[A-L])$",
    example = "B",
    rule = "must be the letters of a column, from A to BL"
);
