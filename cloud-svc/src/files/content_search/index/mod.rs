//! The index of words: segments of ascending numbers, made of texts, and merged when there are many.

pub mod build;
pub mod check;
pub mod job;
pub mod lookup;
mod merge;
pub mod rebuild;
mod segments;
mod tiers;
