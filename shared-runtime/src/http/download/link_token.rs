//! The token in the path of a download link.

use std::{convert::Infallible, str::FromStr};

use utoipa::{
    PartialSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

/// Any text is one, so that all bad links get the same answer.
pub struct LinkToken(pub String);

impl FromStr for LinkToken {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl PartialSchema for LinkToken {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[A-Za-z0-9_-]+$"));
        text.examples(["ASNFZ4mrze8BI0VniavN7wAAAAEBI0VniavN7w"]).into()
    }
}
