//! Edit operations: JSON objects that say by their member `op` what they are.

use utoipa::openapi::{RefOr, Schema};

/// The operations of one kind of content.
pub trait Operations {
    /// The words that `op` can be.
    const WORDS: &'static [&'static str];

    /// The name in OpenAPI of the shape of each, in the order of the words.
    fn names() -> Vec<String>;

    /// The shapes, and those that they refer to.
    fn add_components(components: &mut Vec<(String, RefOr<Schema>)>);
}

/// Defines the enum of a kind's operations, each variant a [`shared_model::json_object!`] of the same name whose tag `op` is
/// the word.
#[macro_export]
macro_rules! operations {
    ($(#[doc = $doc:literal])+ pub enum $name:ident { $($word:literal => $variant:ident,)+ }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        #[serde(untagged)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`")] $variant($variant),)+
        }

        impl shared_model::FromJson for $name {
            fn from_json(reader: &shared_model::JsonReader<'_>) -> Option<Self> {
                match reader.value().get("op").and_then(serde_json::Value::as_str) {
                    $(Some($word) => $variant::from_json(reader).map(Self::$variant),)+
                    _ => reader.refuse(format!("must have as \"op\" one of: {}", [$($word),+].join(", "))),
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
