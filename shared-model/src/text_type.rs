//! Newtypes of text, the same in JSON, in a database and in the OpenAPI document.

/// Defines newtypes of text with a rule.
#[macro_export]
macro_rules! text_type {
    ($($(#[doc = $doc:literal])+ $vis:vis struct $name:ident {
        pattern = $pattern:expr,
        example = $example:expr,
        rule = $rule:expr,
        check = |$text:ident| $check:expr $(,)?
    })+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis struct $name(String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = &'static str;

            fn from_str($text: &str) -> Result<Self, Self::Err> {
                if $check { Ok(Self($text.to_owned())) } else { Err($rule) }
            }
        }

        $crate::text_column!($name);
        $crate::text_in_json!($name, [$($doc)+], pattern = $pattern, example = $example, rule = $rule);
    )+};
}

/// `Display`, `Serialize` and a text column for a type with `as_str` and `FromStr`.
#[macro_export]
macro_rules! text_column {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::reexport::serde::Serialize for $name {
            fn serialize<S: $crate::reexport::serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.serialize_str(self.as_str())
            }
        }

        $crate::text_in_database!($name);
    };
}

/// `Debug`, `Deserialize`, `FromJson` and the OpenAPI schema for a type with `Display` and `FromStr`. Text that does
/// not parse breaks `rule`.
#[macro_export]
macro_rules! text_in_json {
    ($name:ident, [$($doc:literal)*], pattern = $pattern:expr, example = $example:expr, rule = $rule:expr) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }

        impl<'de> $crate::reexport::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::reexport::serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                let text = <String as $crate::reexport::serde::Deserialize>::deserialize(input)?;
                text.parse().map_err(|_| <D::Error as $crate::reexport::serde::de::Error>::custom($rule))
            }
        }

        impl $crate::json_reader::FromJson for $name {
            fn from_json(reader: &$crate::json_reader::JsonReader<'_>) -> Option<Self> {
                reader.str()?.parse().ok().or_else(|| reader.refuse($rule))
            }
        }

        impl $crate::reexport::utoipa::PartialSchema for $name {
            fn schema() -> $crate::reexport::utoipa::openapi::RefOr<$crate::reexport::utoipa::openapi::Schema> {
                $crate::openapi_schema::string(&[$($doc),*]).pattern(Some($pattern)).examples([$example]).into()
            }
        }
        impl $crate::reexport::utoipa::ToSchema for $name {}
    };
}
