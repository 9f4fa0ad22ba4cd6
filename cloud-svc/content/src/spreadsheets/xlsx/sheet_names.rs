//! The names of sheets in spreadsheet programs, which allow less than we do.

use std::{borrow::Cow, collections::HashMap};

use crate::{
    name_key::name_key,
    spreadsheets::{
        a1::{cell::row_of, column::column_of},
        content::sheet::Sheet,
        formula::{
            pieces::{Piece, pieces, unquoted},
            sheet_names::SheetNames,
        },
    },
};

const LENGTH: usize = 31;

pub struct OtherNames {
    names: Vec<String>,
    by_key: HashMap<String, usize>,
}

impl OtherNames {
    /// Keeps the names that programs allow, and gives other sheets a name like theirs.
    pub fn of(sheets: &[Sheet]) -> Self {
        let mut taken: SheetNames = sheets.iter().map(|sheet| &*sheet.name).filter(|name| is_allowed(name)).collect();
        let name = |sheet: &Sheet| if is_allowed(&sheet.name) { sheet.name.clone() } else { like(sheet, &mut taken) };
        let names = sheets.iter().map(name).collect();
        let by_key = sheets.iter().enumerate().map(|(index, sheet)| (name_key(&sheet.name), index)).collect();
        Self { names, by_key }
    }

    pub fn of_sheet(&self, index: usize) -> &str {
        &self.names[index]
    }

    /// The formula with the names that the sheets have there.
    pub fn renamed(&self, formula: &str) -> String {
        let written = pieces(formula).into_iter().map(|piece| match piece {
            Piece::Sheet(written) => self.written(written),
            Piece::Text(text) | Piece::Code(text) => Cow::Borrowed(text),
        });
        written.collect()
    }

    fn written<'a>(&self, sheet: &'a str) -> Cow<'a, str> {
        let old = unquoted(sheet);
        let new = self.by_key.get(&name_key(&old)).map_or(&old, |index| &self.names[*index]);
        // A quoted name is always read as a name, and a bare one only if it looks like nothing else.
        if name_key(new) == name_key(&old) && (sheet.starts_with('\'') || is_bare(sheet)) {
            return Cow::Borrowed(sheet);
        }
        Cow::Owned(format!("'{}'", new.replace('\'', "''")))
    }
}

fn is_allowed(name: &str) -> bool {
    rust_xlsxwriter::utility::check_sheet_name(name).is_ok() && !is_reserved(name) && !is_read_as_code(name)
}

// The library reads formulas without their quotes around names. It would write `'BASE(GBP)'!B2` as
// `'_xlfn.BASE(GBP)'!B2`, and take what follows a `"` for text.
fn is_read_as_code(name: &str) -> bool {
    name.contains('"') || without_calls(name) != name
}

/// With a blank before each bracket that follows what may be a function.
fn without_calls(name: &str) -> String {
    let mut before = ' ';
    let written = name.chars().flat_map(|c| {
        let is_call = c == '(' && (before.is_ascii_uppercase() || before.is_ascii_digit() || before == '.');
        before = c;
        is_call.then_some(' ').into_iter().chain([c])
    });
    written.collect()
}

// The change log of shared workbooks has this name.
fn is_reserved(name: &str) -> bool {
    name.eq_ignore_ascii_case("history")
}

fn like(sheet: &Sheet, taken: &mut SheetNames) -> String {
    let name: String = sheet
        .name
        .chars()
        .map(|c| if matches!(c, '*' | '?' | ':' | '[' | ']' | '\\' | '/' | '"') { '_' } else { c })
        .collect();
    let name = without_calls(&name);
    let name = name.trim_matches(['\'', ' ']);
    let numbered = |number: usize| {
        let tail = if number == 1 { String::new() } else { format!(" ({number})") };
        let mut start = name;
        while start.encode_utf16().count() + tail.len() > LENGTH {
            start = &start[..start.floor_char_boundary(start.len() - 1)];
        }
        format!("{}{tail}", start.trim_end_matches(['\'', ' ']))
    };
    let free = (1..).map(numbered).find(|name| is_allowed(name) && taken.insert(name));
    // There are ten sheets at most, so one of the first numbers is free.
    free.unwrap_or_default()
}

fn is_bare(name: &str) -> bool {
    let end = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
    let (letters, digits) = name.split_at(end);
    let is_cell = column_of(&letters.to_ascii_uppercase()).is_some() && row_of(digits).is_some();
    // R1C1, which programs read as a reference too.
    let is_row_and_column =
        name.starts_with(['R', 'r', 'C', 'c']) && name.chars().skip(1).all(|c| "RrCc0123456789".contains(c));
    let is_boolean = name.eq_ignore_ascii_case("TRUE") || name.eq_ignore_ascii_case("FALSE");
    let starts_well = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    starts_well && !(is_cell || is_row_and_column || is_boolean)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> OtherNames {
        let sheet = |name: &&str| Sheet { name: (*name).to_owned(), cells: vec![vec![String::new()]] };
        OtherNames::of(&names.iter().map(sheet).collect::<Vec<_>>())
    }

    #[test]
    fn names_that_programs_refuse_get_others_and_formulas_follow() {
        let long = "a".repeat(40);
        let names =
            names(&["Budget", "a/b", "a_b", &long, &format!("{long}b"), "'x'", "History", "☺".repeat(40).as_str()]);
        let (first, second) = ("a".repeat(31), format!("{} (2)", "a".repeat(27)));
        assert_eq!(
            names.names,
            ["Budget", "a_b (2)", "a_b", &first, &second, "x", "History (2)", "☺".repeat(31).as_str()]
        );
        assert_eq!(names.renamed("=budget!A1&\"a/b\"&'a_b'!A1"), "=budget!A1&\"a/b\"&'a_b'!A1");
        assert_eq!(names.renamed("='a/b'!A1+'''x'''!B2"), "='a_b (2)'!A1+'x'!B2");
    }

    #[test]
    fn a_name_that_the_library_would_read_as_a_call_gets_another() {
        let names = names(&["BASE(GBP)", "Costs(2026)", "SHEET(2)", "a\"b"]);
        assert_eq!(names.names, ["BASE (GBP)", "Costs(2026)", "SHEET (2)", "a_b"]);
        assert_eq!(names.renamed("='BASE(GBP)'!B2+'Costs(2026)'!A1"), "='BASE (GBP)'!B2+'Costs(2026)'!A1");
    }

    #[test]
    fn a_bare_name_that_looks_like_something_else_is_quoted() {
        let names = names(&["Q1", "2026", "RC", "true", "Über", "R"]);
        let renamed = names.renamed("=Q1!A1+2026!A1+RC!A1+TRUE!A1+Über!A1+R!A1");
        assert_eq!(renamed, "='Q1'!A1+'2026'!A1+'RC'!A1+'true'!A1+Über!A1+'R'!A1");
    }
}
