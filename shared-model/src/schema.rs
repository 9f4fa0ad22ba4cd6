//! How JSON types describe themselves in the OpenAPI document: what the expansions of this crate's macros call.

use utoipa::openapi::{
    Object, ObjectBuilder, OneOfBuilder, RefOr, Schema, Type,
    schema::{AdditionalProperties, SchemaType},
};

use crate::rule::Rule;

/// A string, described by doc comments.
pub fn string(docs: &[&str]) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).description(Some(description(docs)))
}

/// The schema of an object, member by member. Doc comments come line by line.
pub struct ObjectSchema(ObjectBuilder);

impl ObjectSchema {
    /// An object without members.
    pub fn new(docs: &[&str]) -> Self {
        let closed = AdditionalProperties::FreeForm(false);
        Self(ObjectBuilder::new().description(Some(description(docs))).additional_properties(Some(closed)))
    }

    /// With a member that always has this value.
    pub fn tag(self, name: &str, value: &str) -> Self {
        let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([value]));
        Self(self.0.property(name, schema).required(name))
    }

    /// With a member that must be there.
    pub fn required<R: Rule>(self, name: &str, docs: &[&str]) -> Self {
        let Self(object) = self.optional::<R>(name, docs);
        Self(object.required(name))
    }

    /// With a member that may be absent.
    pub fn optional<R: Rule>(self, name: &str, docs: &[&str]) -> Self {
        Self(self.0.property(name, described(R::schema(), docs)))
    }

    /// With a member that may be absent from what is sent and is always written.
    pub fn defaulted<R: Rule>(self, name: &str, docs: &[&str]) -> Self {
        self.optional::<R>(name, docs)
    }

    /// With a member that is always written, and may be null.
    pub fn nullable<R: Rule>(self, name: &str, docs: &[&str]) -> Self {
        let Self(object) = self.optional_nullable::<R>(name, docs);
        Self(object.required(name))
    }

    /// With a member that may be absent or null.
    pub fn optional_nullable<R: Rule>(self, name: &str, docs: &[&str]) -> Self {
        let schema = match described(R::schema(), docs) {
            RefOr::T(Schema::Object(mut object)) => {
                object.schema_type = match object.schema_type {
                    SchemaType::Type(one) => SchemaType::from_iter([one, Type::Null]),
                    other => other,
                };
                RefOr::T(Schema::Object(object))
            }
            other => OneOfBuilder::new().item(other).item(ObjectBuilder::new().schema_type(Type::Null)).into(),
        };
        Self(self.0.property(name, schema))
    }

    /// With an example.
    pub fn example(self, example: serde_json::Value) -> Self {
        Self(self.0.examples([example]))
    }
}

impl From<ObjectSchema> for RefOr<Schema> {
    fn from(ObjectSchema(object): ObjectSchema) -> Self {
        object.into()
    }
}

impl From<ObjectSchema> for Object {
    fn from(ObjectSchema(object): ObjectSchema) -> Self {
        object.build()
    }
}

fn described(mut schema: RefOr<Schema>, docs: &[&str]) -> RefOr<Schema> {
    let text = description(docs);
    match &mut schema {
        RefOr::Ref(reference) => reference.description = text,
        RefOr::T(Schema::Object(object)) => object.description = Some(text),
        RefOr::T(Schema::Array(array)) => array.description = Some(text),
        RefOr::T(_) => {}
    }
    schema
}

/// A doc comment as one text: every line begins with the blank that follows `///`.
pub fn description(docs: &[&str]) -> String {
    docs.iter().map(|line| line.trim()).collect::<Vec<_>>().join("\n")
}
