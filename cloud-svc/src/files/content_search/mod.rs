//! Search by what is written in files: their names, contents and comments.
//!
//! The index proposes candidates, and each is compared with the search. So a search is exact, however old the index is.

mod entry;
pub mod index;
mod run;
pub mod search;
