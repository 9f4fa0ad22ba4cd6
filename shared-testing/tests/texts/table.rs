//! The rows of a table of texts.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::source::string;

/// English and the other language, in the order of the file.
pub fn rows(text: &str) -> Result<Vec<(String, String)>, proc_macro2::LexError> {
    let mut strings = Vec::new();
    collect(text.parse()?, &mut strings);
    Ok(strings.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect())
}

/// All strings: a table has no others.
fn collect(tokens: TokenStream, strings: &mut Vec<String>) {
    for token in tokens {
        match token {
            // Not the documentation of the file.
            TokenTree::Group(group) if group.delimiter() != Delimiter::Bracket => collect(group.stream(), strings),
            TokenTree::Literal(literal) => strings.extend(string(&literal)),
            _ => {}
        }
    }
}

#[test]
fn a_table_is_read_by_pairs() {
    let rows = rows("const T: X = translations! { \"a\" => \"b\", \"c \\\" d\" => \"e\", };").expect("a table");
    assert_eq!(rows, [("a".to_owned(), "b".to_owned()), ("c \" d".to_owned(), "e".to_owned())]);
}
