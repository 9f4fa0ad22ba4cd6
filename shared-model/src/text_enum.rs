//! Enums whose variants are words, the same in JSON, in a database and in the OpenAPI document.

/// Defines enums whose variants are words.
#[macro_export]
macro_rules! text_enum {
    ($($(#[doc = $doc:literal])+ pub enum $name:ident { $($(#[$says:meta])* $variant:ident = $word:literal,)+ })+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$says])* $variant,)+
        }

        impl $name {
            /// All words with their variants, in the order of declaration.
            pub const ALL: &'static [(&'static str, Self)] = &[$(($word, Self::$variant)),+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
            }
        }

        impl std::str::FromStr for $name {
            type Err = &'static str;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                Self::from_word(word).ok_or(concat!("must be one of:", $(" ", $word),+))
            }
        }

        $crate::text_column!($name);

        impl<'de> $crate::reexport::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::reexport::serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                let word = <String as $crate::reexport::serde::Deserialize>::deserialize(input)?;
                word.parse().map_err(<D::Error as $crate::reexport::serde::de::Error>::custom)
            }
        }

        impl $crate::json_reader::FromJson for $name {
            fn from_json(reader: &$crate::json_reader::JsonReader<'_>) -> Option<Self> {
                reader.one_of(Self::ALL)
            }
        }

        impl $crate::reexport::utoipa::PartialSchema for $name {
            fn schema() -> $crate::reexport::utoipa::openapi::RefOr<$crate::reexport::utoipa::openapi::Schema> {
                $crate::openapi_schema::string(&[$($doc),+]).enum_values(Some([$($word),+])).into()
            }
        }
        impl $crate::reexport::utoipa::ToSchema for $name {}
    )+};
}
