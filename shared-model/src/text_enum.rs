//! Closed lists of words: an enum that is the same text in JSON, in a database and in the OpenAPI document.

/// Defines enums whose every variant is one word.
///
/// ```
/// shared_model::text_enum! {
///     /// Whether a door is open.
///     pub enum Door {
///         /// Everyone may enter.
///         Open = "open",
///         /// Nobody may.
///         Closed = "closed",
///     }
/// }
/// assert_eq!(Door::Open.as_str(), "open");
/// assert_eq!(Door::of("closed"), Some(Door::Closed));
/// assert_eq!(Door::of("ajar"), None);
/// ```
#[macro_export]
macro_rules! text_enum {
    ($($(#[$doc:meta])* pub enum $name:ident { $($(#[$says:meta])* $variant:ident = $word:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[derive($crate::id::reexport::AsExpression, $crate::id::reexport::FromSqlRow)]
        #[diesel(sql_type = $crate::id::reexport::diesel::sql_types::Text)]
        pub enum $name {
            $($(#[$says])* $variant,)+
        }

        impl $name {
            /// Every word with what it stands for, in the order of declaration.
            pub const ALL: &'static [(&'static str, Self)] = &[$(($word, Self::$variant)),+];

            /// The word.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// What `word` stands for, if anything.
            pub fn of(word: &str) -> Option<Self> {
                Self::ALL.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
            }
        }

        impl std::str::FromStr for $name {
            type Err = &'static str;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                Self::of(word).ok_or(concat!("must be one of:", $(" ", $word),+))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl<DB> $crate::id::reexport::ToSql<$crate::id::reexport::diesel::sql_types::Text, DB> for $name
        where
            DB: $crate::id::reexport::Backend,
            str: $crate::id::reexport::ToSql<$crate::id::reexport::diesel::sql_types::Text, DB>,
        {
            fn to_sql<'b>(
                &'b self,
                out: &mut $crate::id::reexport::Output<'b, '_, DB>,
            ) -> $crate::id::reexport::serialize::Result {
                self.as_str().to_sql(out)
            }
        }

        impl<DB> $crate::id::reexport::FromSql<$crate::id::reexport::diesel::sql_types::Text, DB> for $name
        where
            DB: $crate::id::reexport::Backend,
            String: $crate::id::reexport::FromSql<$crate::id::reexport::diesel::sql_types::Text, DB>,
        {
            fn from_sql(bytes: DB::RawValue<'_>) -> $crate::id::reexport::deserialize::Result<Self> {
                let word = String::from_sql(bytes)?;
                Self::of(&word).ok_or_else(|| concat!("a word that is no ", stringify!($name)).into())
            }
        }

        impl $crate::id::reexport::serde::Serialize for $name {
            fn serialize<S: $crate::id::reexport::serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::id::reexport::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::id::reexport::serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                let word = <String as $crate::id::reexport::serde::Deserialize>::deserialize(input)?;
                Self::of(&word).ok_or_else(|| {
                    <D::Error as $crate::id::reexport::serde::de::Error>::custom(concat!("not a ", stringify!($name)))
                })
            }
        }

        impl $crate::FromJson for $name {
            fn from_json(reader: &$crate::JsonReader<'_>) -> Option<Self> {
                reader.one_of(Self::ALL)
            }
        }

        impl $crate::id::reexport::utoipa::PartialSchema for $name {
            fn schema() -> $crate::id::reexport::utoipa::openapi::RefOr<$crate::id::reexport::utoipa::openapi::Schema> {
                $crate::id::reexport::utoipa::openapi::ObjectBuilder::new()
                    .schema_type($crate::id::reexport::utoipa::openapi::Type::String)
                    .enum_values(Some([$($word),+]))
                    .into()
            }
        }
        impl $crate::id::reexport::utoipa::ToSchema for $name {}
    )+};
}
