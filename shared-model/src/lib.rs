#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod code;
mod column;
pub mod currency;
pub mod cursor;
pub mod envelope;
pub mod error;
pub mod error_body;
pub mod etag;
pub mod failure;
pub mod id;
mod joiners;
pub mod json;
#[cfg(feature = "diesel")]
pub mod json_column;
pub mod json_object;
pub mod json_reader;
pub mod limits;
pub mod name;
#[doc(hidden)]
pub mod openapi_schema;
pub mod problem;
pub mod random;
#[doc(hidden)]
pub mod reexport;
pub mod refusal;
pub mod rule;
pub mod secret;
pub mod signed_token;
pub mod text;
pub mod text_enum;
pub mod text_type;
pub mod timestamp;
pub mod words;

pub use currency::Currency;
pub use cursor::{Cursor, InvalidCursor};
pub use envelope::Envelope;
pub use error::Error;
pub use error_body::{ErrorBody, ErrorDetail, NextAction};
pub use etag::Etag;
pub use failure::Failure;
pub use json_reader::{FromJson, JsonReader, ObjectReader};
pub use name::Name;
pub use problem::{Problem, Problems};
pub use random::Random;
pub use refusal::{Code, Refusal};
pub use secret::Secret;
pub use timestamp::Timestamp;
