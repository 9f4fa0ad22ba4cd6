#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod merkle;
pub mod tlog;

pub use canonical_json as canonical;
