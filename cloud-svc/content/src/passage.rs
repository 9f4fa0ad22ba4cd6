//! A run of text within content, and what of it leads elsewhere.

use std::{borrow::Cow, fmt};

/// A run of text within content, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage<'a> {
    /// The place, as warnings name it.
    pub place: Place<'a>,
    /// The text.
    pub text: &'a str,
    /// Where the text leads, if it is a link.
    pub link: Option<&'a str>,
}

/// A place in content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'a> {
    /// A block, an element or another part, by its id; or a member, by its name.
    Part(&'a str),
    /// A cell of a sheet; rows and columns count from 0.
    Cell {
        /// The name of the sheet.
        sheet: &'a str,
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
}

/// As warnings name it: `b_4`, `Budget!B2`.
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part(name) => f.write_str(name),
            Self::Cell { sheet, row, column } => {
                let mut letters = Vec::new();
                let mut rest = Some(*column);
                while let Some(digit) = rest {
                    letters.push(char::from(b'A' + (digit % 26) as u8));
                    rest = (digit / 26).checked_sub(1);
                }
                let column: String = letters.into_iter().rev().collect();
                write!(f, "{sheet}!{column}{}", row + 1)
            }
        }
    }
}

/// What a reader can follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link<'a> {
    /// Where it is.
    pub place: Place<'a>,
    /// What the reader sees of it.
    pub text: Cow<'a, str>,
    /// Where it leads.
    pub target: Cow<'a, str>,
}

/// The links of passages. Neighbours that lead to the same are one link: a style can change within its text.
pub fn links<'a>(passages: impl Iterator<Item = Passage<'a>>) -> Vec<Link<'a>> {
    let mut links = Vec::<Link<'a>>::new();
    let mut before = None;
    for Passage { place, text, link } in passages {
        let run = link.map(|target| (place, target));
        match (run, links.last_mut()) {
            (Some(_), Some(last)) if run == before => last.text.to_mut().push_str(text),
            (Some((place, target)), _) => {
                links.push(Link { place, text: Cow::Borrowed(text), target: Cow::Borrowed(target) });
            }
            (None, _) => {}
        }
        before = run;
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_named_by_letters_and_a_number() {
        for (row, column, name) in
            [(0, 0, "S!A1"), (9, 25, "S!Z10"), (0, 26, "S!AA1"), (0, 701, "S!ZZ1"), (0, 702, "S!AAA1")]
        {
            assert_eq!(Place::Cell { sheet: "S", row, column }.to_string(), name);
        }
    }

    #[test]
    fn runs_that_lead_to_the_same_are_one_link() {
        let passage = |place, text, link| Passage { place: Place::Part(place), text, link };
        let passages = [
            passage("a", "ban", Some("http://e")),
            passage("a", "k.com", Some("http://e")),
            passage("a", " and ", None),
            passage("a", "more", Some("http://e")),
            passage("b", "more", Some("http://e")),
        ];
        let texts: Vec<_> =
            links(passages.into_iter()).into_iter().map(|link| format!("{} {}", link.place, link.text)).collect();
        assert_eq!(texts, ["a bank.com", "a more", "b more"]);
    }
}
