//! What is wrong with a request or an imported line. All problems are listed, so that one correction is enough.

use std::{borrow::Cow, cell::RefCell, fmt};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::text;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// A JSON pointer into the body (RFC 6901; empty for the whole body), or the name of a parameter or header.
    pub at: String,
    /// The rule that is broken, with its limit: "must be at most 190 bytes".
    pub rule: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, rule } = self;
        if at.is_empty() { f.write_str(rule) } else { write!(f, "{at} {rule}") }
    }
}

// A member's or parameter's name may be as long as the request, and the answer repeats it.
const MAX_NAME_CHARS: usize = 200;

/// A name that a client chose, or its beginning.
pub fn shown_name(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(MAX_NAME_CHARS) {
        Some((end, _)) => Cow::Owned(format!("{}…", &name[..end])),
        None => Cow::Borrowed(name),
    }
}

// Control characters are escaped, because pointers contain names that a client chose.
pub fn describe(problems: &[Problem]) -> String {
    let described: Vec<_> = problems.iter().map(|problem| text::printable(&problem.to_string()).into_owned()).collect();
    described.join("; ")
}

#[derive(Debug, Default)]
pub struct Problems(RefCell<Vec<Problem>>);

impl Problems {
    pub const MAX: usize = 50;

    pub fn note(&self, at: impl Into<String>, rule: impl Into<String>) {
        let mut list = self.0.borrow_mut();
        // A body of many mistakes must not become an answer of many megabytes.
        if list.len() < Self::MAX {
            list.push(Problem { at: at.into(), rule: rule.into() });
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    pub fn into_vec(self) -> Vec<Problem> {
        self.0.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_described_with_their_places() {
        let problems = [("", "must be an object"), ("/a", "must be a string")]
            .map(|(at, rule)| Problem { at: at.to_owned(), rule: rule.to_owned() });
        assert_eq!(describe(&problems), "must be an object; /a must be a string");
    }

    #[test]
    fn no_more_than_fifty_problems_are_listed() {
        let problems = Problems::default();
        (0..60).for_each(|at| problems.note(format!("/{at}"), "must be absent"));
        assert_eq!(problems.into_vec().len(), 50);
    }

    #[test]
    fn only_the_beginning_of_a_long_name_is_shown() {
        let name = "é".repeat(MAX_NAME_CHARS);
        assert_eq!(shown_name(&name), name);
        assert_eq!(shown_name(&format!("{name}é")), format!("{name}…"));
    }

    #[test]
    fn a_member_name_cannot_forge_a_log_line() {
        let problem = Problem { at: "/a\n\u{1b}[31mline 9: b".to_owned(), rule: "is not known".to_owned() };
        assert_eq!(describe(&[problem]), r"/a\u{a}\u{1b}[31mline 9: b is not known");
    }
}
