//! Search by what is written: words of texts, pieces of words, lists of what has a piece, matches and excerpts.
//!
//! A text is *folded*: words in one spelling, each between line breaks. A search is a search for substrings of it.

pub mod block;
pub mod excerpt;
pub mod fold;
pub mod found;
pub mod pieces;
pub mod query;
pub mod script;
pub mod term;
#[cfg(test)]
mod tests;
