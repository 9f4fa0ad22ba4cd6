//! Rules for members of JSON objects. A rule reads a member and describes it in the OpenAPI document. So each bound is
//! written once, in a type: `OneLine<190>`.

use std::marker::PhantomData;

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ArrayBuilder, KnownFormat, ObjectBuilder, Ref, RefOr, Schema, SchemaFormat, Type},
};

use crate::{
    json_reader::{FromJson, JsonReader},
    text,
};

// The largest integer that every JSON parser keeps exact (RFC 8259 §6).
pub const MINOR_MAX: i64 = 9_007_199_254_740_991;

pub const VERSION_MAX: i64 = MINOR_MAX;

pub trait Rule {
    type Value;

    /// The value, or `None` with at least one problem noted.
    fn read(reader: &JsonReader<'_>) -> Option<Self::Value>;

    /// The schema, or a reference if the type has a name in the document.
    fn schema() -> RefOr<Schema>;

    /// Adds the named schemas that [`Self::schema`] refers to, directly or indirectly.
    fn add_components(_: &mut Vec<(String, RefOr<Schema>)>) {}
}

impl<T: FromJson + ToSchema> Rule for T {
    type Value = T;

    fn read(reader: &JsonReader<'_>) -> Option<T> {
        T::from_json(reader)
    }

    fn schema() -> RefOr<Schema> {
        Ref::from_schema_name(T::name()).into()
    }

    fn add_components(components: &mut Vec<(String, RefOr<Schema>)>) {
        components.push((T::name().into_owned(), T::schema()));
        T::schemas(components);
    }
}

impl Rule for bool {
    type Value = bool;

    fn read(reader: &JsonReader<'_>) -> Option<bool> {
        reader.boolean()
    }

    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Boolean).into()
    }
}

/// At most `MAX` bytes ([`text::check`]), with LF for each CR LF and CR.
pub struct Text<const MAX: usize>;

impl<const MAX: usize> Rule for Text<MAX> {
    type Value = String;

    fn read(reader: &JsonReader<'_>) -> Option<String> {
        reader.text(MAX)
    }

    fn schema() -> RefOr<Schema> {
        let pattern = Some(text::PATTERN);
        ObjectBuilder::new().schema_type(Type::String).max_length(Some(MAX)).pattern(pattern).into()
    }
}

/// Like [`Text`], but not empty.
pub struct NonEmptyText<const MAX: usize>;

impl<const MAX: usize> Rule for NonEmptyText<MAX> {
    type Value = String;

    fn read(reader: &JsonReader<'_>) -> Option<String> {
        let text = Text::<MAX>::read(reader)?;
        if text.is_empty() { reader.refuse("must not be empty") } else { Some(text) }
    }

    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(MAX));
        text.pattern(Some(text::PATTERN)).into()
    }
}

/// One line of at most `MAX` bytes, not empty, without invisible characters ([`text::check_line`]).
pub struct OneLine<const MAX: usize>;

impl<const MAX: usize> Rule for OneLine<MAX> {
    type Value = String;

    fn read(reader: &JsonReader<'_>) -> Option<String> {
        let line = reader.str()?;
        match text::check_line(line, MAX) {
            Ok(()) => Some(line.to_owned()),
            Err(rule) => reader.refuse(rule),
        }
    }

    fn schema() -> RefOr<Schema> {
        let line = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(MAX));
        line.pattern(Some(text::LINE_PATTERN)).into()
    }
}

/// The `sub` of the tokens that may read a record.
pub type Owner = OneLine<255>;

/// An integer from `MIN` to `MAX`; a fraction or an exponent is refused.
pub struct Integer<const MIN: i64, const MAX: i64>;

impl<const MIN: i64, const MAX: i64> Rule for Integer<MIN, MAX> {
    type Value = i64;

    fn read(reader: &JsonReader<'_>) -> Option<i64> {
        reader.integer(MIN..=MAX)
    }

    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(MIN))
            .maximum(Some(MAX))
            .into()
    }
}

/// Money in minor units, not negative.
pub type MinorUnits = Integer<0, MINOR_MAX>;

/// From 1.
pub type VersionNumber = Integer<1, VERSION_MAX>;

/// `MIN` to `MAX` items, each with its own rule.
pub struct Array<R, const MIN: usize, const MAX: usize>(PhantomData<R>);

impl<R: Rule, const MIN: usize, const MAX: usize> Rule for Array<R, MIN, MAX> {
    type Value = Vec<R::Value>;

    fn read(reader: &JsonReader<'_>) -> Option<Vec<R::Value>> {
        reader.array(MIN..=MAX, R::read)
    }

    fn schema() -> RefOr<Schema> {
        let min = (MIN > 0).then_some(MIN);
        ArrayBuilder::new().items(R::schema()).min_items(min).max_items(Some(MAX)).into()
    }

    fn add_components(components: &mut Vec<(String, RefOr<Schema>)>) {
        R::add_components(components);
    }
}

// So that a list can be the payload of an answer.
impl<R: Rule, const MIN: usize, const MAX: usize> PartialSchema for Array<R, MIN, MAX> {
    fn schema() -> RefOr<Schema> {
        <Self as Rule>::schema()
    }
}

impl<R: Rule, const MIN: usize, const MAX: usize> ToSchema for Array<R, MIN, MAX> {
    fn schemas(components: &mut Vec<(String, RefOr<Schema>)>) {
        Self::add_components(components);
    }
}

/// A stock keeping unit: 1 to 64 ASCII letters, digits, dots, dashes and underscores.
pub struct Sku;

impl Rule for Sku {
    type Value = String;

    fn read(reader: &JsonReader<'_>) -> Option<String> {
        let text = reader.str()?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        if !(1..=64).contains(&text.len()) || !text.bytes().all(is_plain) {
            return reader.refuse("must be 1 to 64 ASCII letters, digits, dots, dashes and underscores");
        }
        Some(text.to_owned())
    }

    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[A-Za-z0-9._-]{1,64}$")).into()
    }
}
