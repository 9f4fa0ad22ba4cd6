//! Whatever the text, the parser of formulas does not panic, and what it accepts calls nothing but the eight functions.

use crate::text::text;
use cloud_content::spreadsheets::formula::{check, error::FUNCTIONS, sheet_names::SheetNames};

pub fn run(bytes: &[u8]) {
    let text = text(bytes);
    let sheets: SheetNames = ["Budget", "It's 2026"].into_iter().collect();
    match check(text, &sheets) {
        Ok(()) => {
            for name in called(text) {
                assert!(
                    FUNCTIONS.iter().any(|(function, _)| *function == name.to_uppercase()),
                    "{text:?} calls {name:?}"
                );
            }
        }
        Err(error) => assert!((1..=text.chars().count() + 1).contains(&error.character), "{error}"),
    }
}

/// What stands before a parenthesis, outside of quotation marks, found without knowing the grammar.
fn called(formula: &str) -> Vec<String> {
    let (mut quote, mut word, mut called) = (None, String::new(), Vec::new());
    for c in formula.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => called.push(std::mem::take(&mut word)),
            (None, ' ' | '\t' | '\n' | '+' | '-' | '*' | '/' | '^' | '&' | '=' | '<' | '>' | '%' | ',' | ')') => {
                word.clear();
            }
            (None, _) => word.push(c),
        }
    }
    called.retain(|word| !word.is_empty());
    called
}
