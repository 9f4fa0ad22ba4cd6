//! The table of contents of a long text.

use maud::{Markup, html};

use super::shown::Shown;

/// Fewer are found by looking.
const FEWEST: usize = 4;
/// More are a page of their own.
const MOST: usize = 200;
/// Characters of a heading.
const WORDS: usize = 100;

pub struct Heading {
    pub text: String,
    /// The id of its element.
    pub anchor: String,
    /// Whether it is below another one.
    pub is_below: bool,
    /// The page of the content, from 1.
    pub page: usize,
}

/// Empty for a few headings. `page` is the one that is shown.
pub fn table(headings: &[Heading], page: usize, shown: &Shown<'_>) -> Markup {
    html! {
        @if headings.len() >= FEWEST {
            // Folded: on a phone a long table would stand before the text itself.
            nav.headings aria-label=(text!("Headings")) {
                details {
                    summary { (text!("Table of contents")) }
                    ol {
                        @for heading in headings.iter().take(MOST) {
                            li.below[heading.is_below] { a href=(href(heading, page, shown)) dir="auto" { (words(&heading.text)) } }
                        }
                    }
                    @if headings.len() > MOST { p.note { (text!("Only the first {n} headings are here.", n = MOST)) } }
                }
            }
        }
    }
}

fn href(heading: &Heading, page: usize, shown: &Shown<'_>) -> String {
    // Within the page the browser only scrolls.
    let path = if heading.page == page { String::new() } else { (shown.href)(None, heading.page) };
    format!("{path}#{}", heading.anchor)
}

fn words(text: &str) -> String {
    let words: String = text.chars().take(WORDS).collect();
    if words.trim().is_empty() { text!("(no words)").into() } else { words }
}
