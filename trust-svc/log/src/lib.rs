#![doc = include_str!("../README.md")]

pub mod merkle;
pub mod tlog;

pub use canonical_json as canonical;
