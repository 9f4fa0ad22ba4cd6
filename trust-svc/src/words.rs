//! Types that are one piece of text, the same on the wire and in the database.

/// Gives a type with `as_str` and `FromStr` its `Display`, `Debug`, serde, SQL and OpenAPI sides.
macro_rules! words {
    ($name:ident, $($schema:tt)+) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                <String as serde::Deserialize>::deserialize(input)?.parse().map_err(serde::de::Error::custom)
            }
        }

        impl<DB> diesel::serialize::ToSql<diesel::sql_types::Text, DB> for $name
        where
            DB: diesel::backend::Backend,
            str: diesel::serialize::ToSql<diesel::sql_types::Text, DB>,
        {
            fn to_sql<'b>(&'b self, out: &mut diesel::serialize::Output<'b, '_, DB>) -> diesel::serialize::Result {
                self.as_str().to_sql(out)
            }
        }

        impl<DB> diesel::deserialize::FromSql<diesel::sql_types::Text, DB> for $name
        where
            DB: diesel::backend::Backend,
            String: diesel::deserialize::FromSql<diesel::sql_types::Text, DB>,
        {
            fn from_sql(bytes: DB::RawValue<'_>) -> diesel::deserialize::Result<Self> {
                Ok(String::from_sql(bytes)?.parse()?)
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                let text = utoipa::openapi::ObjectBuilder::new().schema_type(utoipa::openapi::Type::String);
                $crate::words::words!(@schema text, $($schema)+)
            }
        }
        impl utoipa::ToSchema for $name {}
    };
    (@schema $text:ident, pattern = $pattern:expr) => {
        $text.pattern(Some($pattern)).into()
    };
    (@schema $text:ident, one_of = $choices:expr) => {
        $text.enum_values(Some($choices.iter().map(|(name, _)| *name))).into()
    };
}

/// Gives an enum its names: `as_str`, `FromStr`, reading from JSON, and all that [`words`] gives.
macro_rules! named {
    ($name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        impl $name {
            /// Every name with what it names.
            pub const NAMES: &[(&str, Self)] = &[$(($text, Self::$variant)),+];

            /// The name.
            pub const fn as_str(&self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = &'static str;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => Err(concat!("must be one of:", $(" ", $text),+)),
                }
            }
        }

        impl shared_model::FromJson for $name {
            fn from_json(node: &shared_model::Node<'_>) -> Option<Self> {
                node.one_of(Self::NAMES)
            }
        }

        $crate::words::words!($name, one_of = Self::NAMES);
    };
}

pub(crate) use {named, words};
