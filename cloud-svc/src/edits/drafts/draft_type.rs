//! The types of drafts.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, de::Error as _};
use shared_model::{FromJson, JsonReader, openapi_schema};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use cloud_content::{file_type::FileType, kinds::native_kind};

/// The type of a native file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DraftType(FileType);

impl DraftType {
    /// All of them, with their words.
    pub fn all() -> impl Iterator<Item = (&'static str, Self)> {
        let native = FileType::ALL.iter().filter(|(_, file_type)| native_kind(*file_type).is_some());
        native.map(|(word, file_type)| (*word, Self(*file_type)))
    }

    pub const fn as_str(self) -> &'static str {
        self.0.as_str()
    }

    pub const fn file_type(self) -> FileType {
        self.0
    }
}

impl FromStr for DraftType {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::all().find(|(known, _)| *known == word).map(|(_, found)| found).ok_or("must be a type of native files")
    }
}

shared_model::text_column!(DraftType);

impl<'de> Deserialize<'de> for DraftType {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        String::deserialize(input)?.parse().map_err(D::Error::custom)
    }
}

impl FromJson for DraftType {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.one_of(&Self::all().collect::<Vec<_>>())
    }
}

impl PartialSchema for DraftType {
    fn schema() -> RefOr<Schema> {
        let words: Vec<_> = Self::all().map(|(word, _)| word).collect();
        openapi_schema::string(&["The type of the file that a draft can become."]).enum_values(Some(words)).into()
    }
}

impl ToSchema for DraftType {}
