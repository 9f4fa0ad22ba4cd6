//! Addresses as spreadsheets write them: the cell `B2`, the range `B2:F40`, the column `B`.
//!
//! In Rust rows and columns count from 0.

pub mod cell;
pub mod column;
pub mod range;
pub mod sent;
#[cfg(test)]
mod tests;
