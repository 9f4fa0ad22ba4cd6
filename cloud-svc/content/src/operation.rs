//! Edit operations: JSON objects with a member `op`.

use utoipa::openapi::{RefOr, Schema};

/// The operations of one kind of content.
pub trait Operations {
    /// The values of `op`.
    const WORDS: &'static [&'static str];

    /// The names of the OpenAPI schemas, in the order of the words.
    fn names() -> Vec<String>;

    /// Adds the OpenAPI schemas, and those to which they refer.
    fn add_components(components: &mut Vec<(String, RefOr<Schema>)>);
}

/// Defines the enum of a kind's operations. Each variant holds a [`shared_model::json_object!`] with the word as `op`.
/// After the enum may follow `prepare = function;`, an `fn(&JsonReader) -> Option<Value>`. It gives what was sent in
/// the form of the operation; `None` if it has it.
#[macro_export]
macro_rules! operations {
    ($(#[doc = $doc:literal])+ pub enum $name:ident { $($word:literal => $variant:ident,)+ }
     $(prepare = $prepare:path;)?) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        #[serde(untagged)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`")] $variant($variant),)+
        }

        impl shared_model::FromJson for $name {
            fn from_json(reader: &shared_model::JsonReader<'_>) -> Option<Self> {
                $(
                    let prepared = $prepare(reader);
                    let reader = &reader.with_value(prepared.as_ref().unwrap_or_else(|| reader.value()));
                )?
                let serde_json::Value::Object(members) = reader.value() else { return reader.refuse("must be an object") };
                match members.get("op").and_then(serde_json::Value::as_str) {
                    $(Some($word) => $variant::from_json(reader).map(Self::$variant),)+
                    _ => {
                        reader.note("/op", format!("must be one of: {}", [$($word),+].join(", ")));
                        None
                    }
                }
            }
        }

        impl $crate::operation::Operations for $name {
            const WORDS: &'static [&'static str] = &[$($word),+];

            fn names() -> Vec<String> {
                vec![$(<$variant as utoipa::ToSchema>::name().into_owned()),+]
            }

            fn add_components(
                components: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>,
            ) {
                $(<$variant as shared_model::rule::Rule>::add_components(components);)+
            }
        }
    };
}
