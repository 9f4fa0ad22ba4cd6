//! The folder that a request names.

use shared_model::{JsonReader, rule::Rule};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

use super::ids::FileId;

/// `root` or the id of a folder, as in queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    Root,
    Folder(FileId),
}

impl Parent {
    pub const PATTERN: &str = "^(root|file_[1-9][0-9]{0,14})$";

    pub fn parse(text: &str) -> Result<Self, String> {
        match text.parse() {
            _ if text == "root" => Ok(Self::Root),
            Ok(folder) => Ok(Self::Folder(folder)),
            Err(rule) => Err(format!("{rule}, or root")),
        }
    }

    /// `None` at the top.
    pub fn folder(self) -> Option<FileId> {
        match self {
            Self::Root => None,
            Self::Folder(folder) => Some(folder),
        }
    }
}

impl Rule for Parent {
    type Value = Self;

    fn read(reader: &JsonReader<'_>) -> Option<Self> {
        // Records have `null` for the top, so clients send it back.
        if reader.value().is_null() {
            return reader.refuse("must be the id of a folder, or root for the top");
        }
        Self::parse(reader.str()?).map_or_else(|rule| reader.refuse(rule), Some)
    }

    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some(Self::PATTERN)).into()
    }
}
