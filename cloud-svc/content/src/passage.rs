//! Runs of text in content, and its links.

use std::{borrow::Cow, fmt};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage<'a> {
    pub place: Place<'a>,
    pub text: &'a str,
    /// The target, if the text is a link.
    pub link: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'a> {
    /// A part by its id, or a member by its name.
    Part(&'a str),
    /// Rows and columns count from 0.
    Cell { sheet: &'a str, row: usize, column: usize },
}

// As warnings name it: `b_4`, `Budget!B2`.
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

/// A link that a reader can follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link<'a> {
    pub place: Place<'a>,
    /// The visible text.
    pub text: Cow<'a, str>,
    pub target: Cow<'a, str>,
}

/// The links of passages.
pub fn links<'a>(passages: impl Iterator<Item = Passage<'a>>) -> Vec<Link<'a>> {
    let mut links = Vec::<Link<'a>>::new();
    let mut before = None;
    for Passage { place, text, link } in passages {
        // Neighbors with one target are one link, because a style can change within its text.
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
