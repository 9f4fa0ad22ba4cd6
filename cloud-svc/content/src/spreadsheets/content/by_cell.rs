//! Formats and validation rules, by cell.

use std::{borrow::Cow, collections::BTreeMap};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_model::{FromJson, JsonReader, rule::Rule};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema, Type},
};

use super::cell_key::{CELL_RULE, CellKey};

/// The most entries.
pub const ENTRIES: usize = 5000;

/// Values for some cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ByCell<T> {
    /// In the order of sheets, rows and columns.
    Entries(BTreeMap<CellKey, T>),
    /// `[]`, which means the same as an empty object.
    // It stays `[]` until an entry is set, because content reads back in the form in which it was sent.
    Nothing([(); 0]),
}

impl<T> ByCell<T> {
    pub fn iter(&self) -> impl Iterator<Item = (CellKey, &T)> {
        let entries = match self {
            Self::Entries(entries) => Some(entries),
            Self::Nothing(_) => None,
        };
        entries.into_iter().flatten().map(|(key, value)| (*key, value))
    }

    pub fn get(&self, key: CellKey) -> Option<&T> {
        match self {
            Self::Entries(entries) => entries.get(&key),
            Self::Nothing(_) => None,
        }
    }

    pub fn set(&mut self, key: CellKey, value: Option<T>) {
        match (&mut *self, value) {
            (Self::Entries(entries), Some(value)) => {
                entries.insert(key, value);
            }
            (Self::Entries(entries), None) => {
                entries.remove(&key);
            }
            (Self::Nothing(_), Some(value)) => *self = Self::Entries(BTreeMap::from([(key, value)])),
            (Self::Nothing(_), None) => {}
        }
    }

    /// Gives each entry its new key. Entries without one are dropped.
    pub fn move_keys(&mut self, new_key: impl Fn(CellKey) -> Option<CellKey>) {
        if let Self::Entries(entries) = self {
            let moved = std::mem::take(entries).into_iter().filter_map(|(key, value)| Some((new_key(key)?, value)));
            // Keys need not name an existing cell: one at the largest index would move beyond what can be written.
            *entries = moved.filter(|(key, _)| key.is_writable()).collect();
        }
    }
}

impl<T> Default for ByCell<T> {
    fn default() -> Self {
        Self::Entries(BTreeMap::new())
    }
}

impl<T: FromJson> FromJson for ByCell<T> {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        if let Value::Array(items) = reader.value() {
            return match &**items {
                [] => Some(Self::Nothing([])),
                _ => reader.refuse("must be an object, or an array without items"),
            };
        }
        let entries = reader.entries(ENTRIES, |name, entry| {
            let key = name.parse().ok().or_else(|| entry.refuse(CELL_RULE));
            let value = T::from_json(entry);
            Some((key?, value?))
        })?;
        Some(Self::Entries(entries.into_iter().collect()))
    }
}

impl<T: FromJson + ToSchema> PartialSchema for ByCell<T> {
    fn schema() -> RefOr<Schema> {
        let entries = Ref::from_schema_name(format!("{}Entries", T::name()));
        OneOfBuilder::new().item(entries).item(Ref::from_schema_name(NOTHING)).into()
    }
}

// The name in OpenAPI of the empty array, one for all types of values.
const NOTHING: &str = "NoEntries";

impl<T: FromJson + ToSchema> ToSchema for ByCell<T> {
    fn name() -> Cow<'static, str> {
        format!("{}ByCell", T::name()).into()
    }

    fn schemas(components: &mut Vec<(String, RefOr<Schema>)>) {
        let entries = ObjectBuilder::new()
            .description(Some("By cell."))
            .property_names(Some(<CellKey as PartialSchema>::schema()))
            .additional_properties(Some(<T as Rule>::schema()))
            .max_properties(Some(ENTRIES));
        // It never has items, but generated clients need their type.
        let item = ObjectBuilder::new().schema_type(Type::String);
        let nothing =
            ArrayBuilder::new().items(item).description(Some("The same as an empty object.")).max_items(Some(0));
        components.push((format!("{}Entries", T::name()), entries.into()));
        components.push((NOTHING.to_owned(), nothing.into()));
        <T as Rule>::add_components(components);
    }
}
