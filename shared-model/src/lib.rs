//! The words every Fourfold service speaks: ids, moments, text, envelopes, errors, cursors and strict JSON.
//!
//! Nothing here does I/O. A reader who knows this crate can read every answer of the four services.

pub mod currency;
pub mod cursor;
pub mod envelope;
pub mod error_body;
pub mod etag;
pub mod id;
pub mod json;
pub mod limits;
pub mod moment;
pub mod name;
pub mod node;
pub mod problem;
pub mod secret;
pub mod text;
pub mod words;

pub use currency::Currency;
pub use cursor::{Cursor, InvalidCursor};
pub use envelope::Envelope;
pub use error_body::{ErrorBody, NextAction};
pub use etag::Etag;
pub use moment::Moment;
pub use name::Name;
pub use node::{FromJson, Members, Node};
pub use problem::{Problem, Problems};
pub use secret::Secret;
