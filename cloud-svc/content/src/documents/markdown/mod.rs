//! Documents in Markdown (CommonMark with GFM tables).

mod inline;
pub mod read;
mod reader;
pub mod write;

#[cfg(test)]
mod tests;
