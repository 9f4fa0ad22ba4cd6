//! A test that a run cannot carry out is ignored, not passed.
//!
//! `#[ignore = "needs PostgreSQL"]` marks such a test. `./test` includes these in its run on PostgreSQL.

use std::{fs, mem, path::Path};

use proc_macro2::{Delimiter, Group, LexError, TokenStream, TokenTree};
use shared_testing::sources;

/// The only reason to ignore a test. Tests with another reason would run on PostgreSQL alone.
const REASON: &str = "ignore=\"needsPostgreSQL\"";

#[test]
fn no_test_returns_before_it_has_looked() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let files = sources::with_extension(workspace, "rs");
    let (mut tests, mut offences) = (0, Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).expect("a source");
        let found = read(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        tests += found.tests;
        offences.extend(found.offences.iter().map(|line| format!("{}:{line}", file.display())));
    }
    assert!(tests > 1_000, "only {tests} tests are found");
    assert!(
        offences.is_empty(),
        "a test that only PostgreSQL can carry out needs #[ignore = \"needs PostgreSQL\"] and no return:\n{}",
        offences.join("\n")
    );
}

#[derive(Default)]
struct Found {
    tests: usize,
    /// Lines of tests that return without having done anything, or are ignored for another reason.
    offences: Vec<usize>,
}

fn read(source: &str) -> Result<Found, LexError> {
    let mut found = Found::default();
    found.items(source.parse()?);
    Ok(found)
}

impl Found {
    /// Looks for tests among these tokens and in their groups.
    fn items(&mut self, tokens: TokenStream) {
        // After a `#` comes an attribute. After `#[test]` and other attributes comes the body of a test.
        let (mut is_attribute, mut is_test, mut ignored) = (false, false, None);
        for token in tokens {
            let is_after_hash = mem::take(&mut is_attribute);
            match token {
                TokenTree::Punct(punct) => is_attribute = punct.as_char() == '#',
                TokenTree::Group(group) if is_after_hash => {
                    let text = text(&group);
                    is_test |= is_test_attribute(&text);
                    if text.starts_with("ignore") && text != REASON {
                        ignored = Some(group.span_open().start().line);
                    }
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && mem::take(&mut is_test) => {
                    self.tests += 1;
                    self.offences.extend(ignored.take());
                    self.body(group.stream());
                }
                TokenTree::Group(group) => self.items(group.stream()),
                _ => {}
            }
        }
    }

    /// Looks for blocks and arms that do nothing but return. A block that does more has perhaps looked.
    fn body(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.body(group.stream()),
                TokenTree::Ident(word) if word == "return" => {
                    let before = at.checked_sub(1).map(|at| tokens[at].to_string());
                    let after = tokens.get(at + 1).map(ToString::to_string);
                    let is_first = before.is_none_or(|before| before == ">");
                    if is_first && after.is_none_or(|after| after == ";" || after == ",") {
                        self.offences.push(word.span().start().line);
                    }
                }
                _ => {}
            }
        }
    }
}

/// `#[test]`, `#[tokio::test]`, `#[tokio::test(…)]`.
fn is_test_attribute(text: &str) -> bool {
    let path = text.split('(').next().unwrap_or_default();
    path == "test" || path.ends_with("::test")
}

/// The tokens of a group, without spaces.
fn text(group: &Group) -> String {
    group.stream().to_string().replace(' ', "")
}

#[test]
fn silent_returns_are_found_wherever_they_stand() {
    for silent in [
        "#[test] fn a() { if b { return; } c(); }",
        "#[tokio::test(start_paused = true)] async fn a() { let Some(b) = c() else { return }; d(b); }",
        "mod tests { #[shared_testing::test] async fn a() { match b { Some(c) => d(c), None => return, } } }",
        "mod tests { use super::*; #[test] #[should_panic] fn a() { for b in c { if d { return; } } } }",
        "#[test] #[ignore = \"slow\"] fn a() { b(); }",
        "#[ignore] #[test] fn a() { b(); }",
    ] {
        assert_eq!(read(silent).expect("Rust").offences, [1], "{silent}");
    }
}

#[test]
fn other_returns_are_none_of_a_silent_test() {
    for honest in [
        "fn a() { if b { return; } }",
        "#[test] fn a() { if b { c(); return; } d(); }",
        "#[test] fn a() { b(|c| { if c { return Err(d); } Ok(()) }); } fn e() { if f { return; } }",
        "#[cfg(test)] mod tests { fn a() { if b { return; } } #[test] fn c() { d(); } }",
        "#[test] #[ignore = \"needs PostgreSQL\"] fn a() { b(); }",
    ] {
        assert_eq!(read(honest).expect("Rust").offences, [] as [usize; 0], "{honest}");
    }
}
