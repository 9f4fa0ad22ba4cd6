//! Where the rows or columns of a sheet are after others have edited it.

// Cells have no ids. A row is known again by its texts, or because it is between two that are known.

use std::{
    borrow::Cow,
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

use cloud_content::spreadsheets::{
    a1::{
        cell::{Cell, ROWS},
        column::COLUMNS,
    },
    content::sheet::Sheet,
    formula::is_formula,
};

/// The later places of rows or of columns. Of the other kind, none came or went.
pub struct Places<'s> {
    are_rows: bool,
    old: Vec<Vec<&'s str>>,
    new: Vec<Vec<&'s str>>,
    /// The new place of each old row or column, whose texts may have changed.
    places: Vec<Option<usize>>,
}

/// The texts of a row or a column as one text; `None` if they are all empty, since empty ones are alike.
type Key<'k> = Option<&'k str>;

impl<'s> Places<'s> {
    /// `None` if rows as well as columns came or went: then no row has the texts by which it is known.
    pub fn of(old: &'s Sheet, new: &'s Sheet) -> Option<Self> {
        let are_rows = old.columns() == new.columns();
        if !are_rows && old.rows() != new.rows() {
            return None;
        }
        let (old, new) = (texts(old, are_rows), texts(new, are_rows));
        let places = found(&old, &new);
        Some(Self { are_rows, old, new, places })
    }

    /// `None` if the cell is gone, or nobody can tell where it is.
    pub fn cell(&self, cell: Cell) -> Option<Cell> {
        let (line, across) = if self.are_rows { (cell.row, cell.column) } else { (cell.column, cell.row) };
        let at = match self.places.get(line) {
            Some(place) => (*place).filter(|at| is_same(&self.old[line], &self.new[*at], across))?,
            // Beyond the end, which is still the end only if nobody has added anything there.
            None => {
                let last = (*self.places.last()?)?;
                (last + 1 == self.new.len()).then(|| last + 1 + (line - self.old.len()))?
            }
        };
        let later = if self.are_rows { Cell { row: at, ..cell } } else { Cell { column: at, ..cell } };
        (later.row < ROWS && later.column < COLUMNS).then_some(later)
    }

    /// Whether all rows and columns are where they were.
    pub fn are_the_same(&self) -> bool {
        self.places.iter().enumerate().all(|(line, place)| *place == Some(line))
    }
}

/// The rows or the columns.
fn texts(sheet: &Sheet, are_rows: bool) -> Vec<Vec<&str>> {
    if are_rows {
        return sheet.cells.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    }
    (0..sheet.columns()).map(|column| sheet.cells.iter().map(|row| row[column].as_str()).collect()).collect()
}

fn found(old: &[Vec<&str>], new: &[Vec<&str>]) -> Vec<Option<usize>> {
    let keys = [old, new].map(|lines| lines.iter().map(|line| key(line)).collect::<Vec<Option<String>>>());
    let [old_keys, new_keys] = keys.each_ref().map(|keys| keys.iter().map(Option::as_deref).collect::<Vec<Key<'_>>>());
    let mut places = unique(&old_keys, &new_keys);
    let taken: HashSet<usize> = places.iter().flatten().copied().collect();
    let known = places.iter().enumerate().filter_map(|(line, place)| Some((line, (*place)?)));
    // The ends of both are known, too.
    let known: Vec<(usize, usize)> = known.chain([(old.len(), new.len())]).collect();
    let (mut old_at, mut new_at) = (0, 0);
    for (line, place) in known {
        // Nothing is known between two lines that have changed their order, or that have a known third between them.
        if new_at <= place && (new_at..place).all(|other| !taken.contains(&other)) {
            let gap = between(&old_keys[old_at..line], &new_keys[new_at..place]);
            for (at, found) in (old_at..).zip(gap) {
                places[at] = found.map(|found| new_at + found);
            }
        }
        (old_at, new_at) = (line + 1, place + 1);
    }
    places
}

fn key(line: &[&str]) -> Option<String> {
    if line.iter().all(|text| text.is_empty()) {
        return None;
    }
    Some(line.iter().map(|text| comparable(text)).collect::<Vec<_>>().join("\0"))
}

// References follow their cells, so the letters and numbers in a formula change when it moves.
fn comparable(text: &str) -> Cow<'_, str> {
    if !is_formula(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|c| !(c.is_ascii_digit() || c.is_ascii_uppercase())).collect())
}

/// The later places of the keys that occur exactly once, before and later.
fn unique(old: &[Key<'_>], new: &[Key<'_>]) -> Vec<Option<usize>> {
    let (old_once, new_once) = (once(old), once(new));
    let place = |key: &Key<'_>| {
        let key = (*key)?;
        old_once.get(key).copied().flatten()?;
        new_once.get(key).copied().flatten()
    };
    old.iter().map(place).collect()
}

/// The index of each key; `None` for a key that occurs more than once.
fn once<'k>(keys: &[Key<'k>]) -> HashMap<&'k str, Option<usize>> {
    let mut indices = HashMap::new();
    for (index, key) in keys.iter().enumerate() {
        if let Some(key) = key {
            indices.entry(*key).and_modify(|index| *index = None).or_insert(Some(index));
        }
    }
    indices
}

/// Where each old key is among the new ones between the same two known lines. `None` where that is not certain.
fn between<'k>(old: &[Key<'k>], new: &[Key<'k>]) -> Vec<Option<usize>> {
    match old.len().cmp(&new.len()) {
        Ordering::Equal if have_moved(old, new) => vec![None; old.len()],
        Ordering::Equal => (0..old.len()).map(Some).collect(),
        Ordering::Less => within(old, new),
        Ordering::Greater => {
            let mut places = vec![None; old.len()];
            for (at, line) in within(new, old).into_iter().enumerate() {
                if let Some(line) = line {
                    places[line] = Some(at);
                }
            }
            places
        }
    }
}

/// Whether a key is missing in its place and found in another: somebody inserted a line and deleted another.
fn have_moved<'k>(old: &[Key<'k>], new: &[Key<'k>]) -> bool {
    let differing = old.iter().zip(new).filter(|(old, new)| old != new);
    let (gone, come): (HashSet<Key<'k>>, HashSet<Key<'k>>) = differing.map(|(old, new)| (*old, *new)).unzip();
    gone.intersection(&come).any(Option::is_some)
}

/// Where each of a shorter list is in a longer one that has them all in this order. `None` where there is a choice.
fn within<'k>(short: &[Key<'k>], long: &[Key<'k>]) -> Vec<Option<usize>> {
    let first = one_by_one(short.iter().copied(), long.iter().copied());
    let last = one_by_one(short.iter().rev().copied(), long.iter().rev().copied());
    let (Some(first), Some(last)) = (first, last) else { return vec![None; short.len()] };
    let last = last.into_iter().rev().map(|from_end| long.len() - 1 - from_end);
    first.into_iter().zip(last).map(|(first, last)| (first == last).then_some(first)).collect()
}

/// The first places in the long list at which all keys of the short list come in order.
fn one_by_one<'k>(short: impl Iterator<Item = Key<'k>>, mut long: impl Iterator<Item = Key<'k>>) -> Option<Vec<usize>> {
    let mut passed = 0;
    let place = |key: Key<'k>| {
        passed += long.position(|other| other == key)? + 1;
        Some(passed - 1)
    };
    short.map(place).collect()
}

/// Whether a row in the place of another is the same one, for somebody who edits one of its cells. Then all other texts
/// have stayed, or most of all. Or half of them have stayed, and the first, which often is a name.
fn is_same(old: &[&str], new: &[&str], edited: usize) -> bool {
    let stayed: Vec<bool> = old.iter().zip(new).map(|(old, new)| comparable(old) == comparable(new)).collect();
    if stayed.iter().enumerate().all(|(at, stayed)| *stayed || at == edited) {
        return true;
    }
    let written: Vec<bool> =
        old.iter().zip(stayed).filter(|(old, _)| !old.is_empty()).map(|(_, stayed)| stayed).collect();
    let twice = 2 * written.iter().filter(|stayed| **stayed).count();
    twice > written.len() || twice == written.len() && written.first() == Some(&true)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sheet(rows: &[&[&str]]) -> Sheet {
        let cells = rows.iter().map(|row| row.iter().map(|text| (*text).to_owned()).collect()).collect();
        Sheet { name: "S".to_owned(), cells }
    }

    /// The later row of the cell of each row in this column, and of a row beyond the end; -1 for none.
    fn rows(column: usize, old: &[&[&str]], new: &[&[&str]]) -> Vec<i64> {
        let (old, new) = (sheet(old), sheet(new));
        let places = Places::of(&old, &new).expect("as many columns");
        let later = |row: usize| places.cell(Cell { row, column }).map_or(-1, |cell| cell.row as i64);
        (0..=old.rows()).map(later).collect()
    }

    const BUDGET: [&[&str]; 4] = [&["Rent", "900"], &["Food", "250"], &["", ""], &["Sum", "=SUM(B1:B2)"]];

    #[test]
    fn rows_are_known_again_by_their_texts() {
        let [rent, food, empty, _] = BUDGET;
        let sum: &[&str] = &["Sum", "=SUM(B2:B3)"];
        for column in 0..3 {
            assert_eq!(rows(column, &BUDGET, &BUDGET), [0, 1, 2, 3, 4]);
            let inserted: [&[&str]; 5] = [&["Item", "Price"], rent, food, empty, sum];
            assert_eq!(rows(column, &BUDGET, &inserted), [1, 2, 3, 4, 5]);
            assert_eq!(rows(column, &BUDGET, &[food, empty, sum]), [-1, 0, 1, 2, 3]);
            // Sorted: nobody can tell what is between two that have changed their order.
            assert_eq!(rows(column, &BUDGET, &[food, rent, empty, sum]), [1, 0, -1, 3, 4]);
            // Of two empty rows, one was there before.
            assert_eq!(rows(column, &BUDGET, &[rent, food, empty, empty, sum]), [0, 1, -1, 4, 5]);
            // Both may have added a row at the end.
            let added: [&[&str]; 5] = [rent, food, empty, sum, &["Fun", "50"]];
            assert_eq!(rows(column, &BUDGET, &added), [0, 1, 2, 3, -1]);
        }
    }

    #[test]
    fn an_edited_row_is_the_same_while_it_has_its_name_or_only_the_edited_cell_differs() {
        let [rent, food, empty, sum] = BUDGET;
        for column in 0..3 {
            let edited: [&[&str]; 4] = [&["Rent", "950"], food, empty, sum];
            assert_eq!(rows(column, &BUDGET, &edited), [0, 1, 2, 3, 4]);
        }
        let renamed: [&[&str]; 4] = [rent, &["Fun", "250"], &["", "50"], sum];
        assert_eq!(rows(0, &BUDGET, &renamed), [0, 1, -1, 3, 4]);
        assert_eq!(rows(1, &BUDGET, &renamed), [0, -1, 2, 3, 4]);
        assert_eq!(rows(2, &BUDGET, &renamed), [0, -1, -1, 3, 4]);
        let moved: [&[&str]; 5] = [&["Item", ""], &["Rent", "950"], food, empty, sum];
        assert_eq!(rows(1, &BUDGET, &moved), [-1, 2, 3, 4, 5]);
    }

    #[test]
    fn columns_are_known_again_and_both_at_once_are_not() {
        let old = sheet(&[&["Rent", "900"], &["Food", "250"]]);
        let new = sheet(&[&["Rent", "May", "900"], &["Food", "May", "250"]]);
        let places = Places::of(&old, &new).expect("as many rows");
        let at = |column| places.cell(Cell { row: 1, column }).map(|cell| cell.to_string());
        assert_eq!([at(0), at(1), at(2)], ["A2", "C2", "D2"].map(|cell| Some(cell.to_owned())));
        assert!(!places.are_the_same());
        assert!(Places::of(&old, &sheet(&[&["Rent", "May", "900"]])).is_none());
    }

    #[test]
    fn no_place_is_beyond_what_a_sheet_can_have() {
        let one = sheet(&[&["0"]]);
        let next = |rows: usize| {
            let cells = (0..rows).rev().map(|row| vec![row.to_string()]).collect();
            let many = Sheet { name: "S".to_owned(), cells };
            let places = Places::of(&one, &many).expect("one column");
            places.cell(Cell { row: 1, column: 0 }).map(|cell| cell.row)
        };
        assert_eq!(next(ROWS - 1), Some(ROWS - 1));
        assert_eq!(next(ROWS), None);
    }

    proptest! {
        #[test]
        fn a_row_is_found_where_it_is_or_not_at_all(
            old in prop::collection::vec("[abc]?", 1..8),
            new in prop::collection::vec("[abc]?", 1..4),
            at in 0usize..9,
            deletes: bool,
        ) {
            let at = at.min(old.len());
            let end = if deletes { (at + new.len()).min(old.len()) } else { at };
            let rows = old.iter().enumerate().map(|(row, text)| (Some(row), text));
            let mut later: Vec<(Option<usize>, &String)> = rows.collect();
            later.splice(at..end, new.iter().filter(|_| !deletes).map(|text| (None, text)));
            prop_assume!(!later.is_empty());
            let sheet = |texts: Vec<&String>| {
                Sheet { name: "S".to_owned(), cells: texts.into_iter().map(|text| vec![text.clone()]).collect() }
            };
            let (before, after) = (sheet(old.iter().collect()), sheet(later.iter().map(|(_, text)| *text).collect()));
            let places = Places::of(&before, &after).expect("one column");
            for row in 0..old.len() {
                if let Some(cell) = places.cell(Cell { row, column: 0 }) {
                    prop_assert_eq!(later[cell.row].0, Some(row), "{:?} {:?}", &before.cells, &after.cells);
                }
            }
        }
    }
}
