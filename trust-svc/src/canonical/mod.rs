//! Canonical JSON (RFC 8785) and its SHA-256: one event has one hash, however its members are ordered and spaced.

pub mod event_hash;
pub mod numbers;
#[cfg(test)]
mod tests;
mod write;

use serde_json::{Map, Value};

pub use event_hash::EventHash;
pub use numbers::{MAX_INTEGER, check_numbers};

/// The canonical text of an object.
pub fn text(object: &Map<String, Value>) -> String {
    let mut text = String::with_capacity(256);
    write::object(&mut text, object);
    text
}
