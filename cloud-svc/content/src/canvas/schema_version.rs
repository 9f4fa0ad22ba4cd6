//! The version of the format of publications and presentations, which is always 1.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shared_model::{FromJson, JsonReader};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

// A type instead of a number: content with another version cannot be built, so no code has to handle it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SchemaVersion;

impl SchemaVersion {
    const NUMBER: u8 = 1;
}

impl Serialize for SchemaVersion {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_u8(Self::NUMBER)
    }
}

impl<'de> Deserialize<'de> for SchemaVersion {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        match u8::deserialize(input)? {
            Self::NUMBER => Ok(Self),
            _ => Err(serde::de::Error::custom("must be 1")),
        }
    }
}

impl FromJson for SchemaVersion {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        if reader.value().as_u64() == Some(Self::NUMBER.into()) { Some(Self) } else { reader.refuse("must be 1") }
    }
}

impl PartialSchema for SchemaVersion {
    fn schema() -> RefOr<Schema> {
        let version = ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some([Self::NUMBER]));
        version.description(Some("The version of the format.")).into()
    }
}
impl ToSchema for SchemaVersion {}
