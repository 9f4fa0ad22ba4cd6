//! Documents in Markdown (CommonMark with GFM tables).

pub mod blocks;
mod inline;
pub mod plainer;
pub mod read;
mod reader;
pub mod write;

#[cfg(test)]
mod tests;
