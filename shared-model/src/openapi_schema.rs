//! Builds OpenAPI schemas; called by the macros of this crate. `docs` are the lines of a doc comment.

use utoipa::openapi::{
    KnownFormat, Object, ObjectBuilder, OneOfBuilder, RefOr, Schema, SchemaFormat, Type,
    schema::{AdditionalProperties, SchemaType},
};

use crate::rule::Rule;

pub fn string(docs: &[&str]) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).description(Some(description(docs)))
}

/// Bytes that are not text.
pub fn binary(docs: &[&str]) -> ObjectBuilder {
    string(docs).format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
}

pub struct ObjectSchema(ObjectBuilder);

impl ObjectSchema {
    pub fn new(docs: &[&str]) -> Self {
        let closed = AdditionalProperties::FreeForm(false);
        Self(ObjectBuilder::new().description(Some(description(docs))).additional_properties(Some(closed)))
    }

    pub fn tag(self, name: &str, value: &str) -> Self {
        let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([value]));
        Self(self.0.property(name, schema).required(name))
    }

    pub fn required<R: Rule>(self, name: &str, docs: &[&str]) -> Self {
        let Self(object) = self.optional::<R>(name, docs);
        Self(object.required(name))
    }

    pub fn optional<R: Rule>(self, name: &str, docs: &[&str]) -> Self {
        Self(self.0.property(name, described(R::schema(), docs)))
    }

    /// Adds a member that may be absent in a request and is always present in an answer.
    pub fn defaulted<R: Rule>(self, name: &str, docs: &[&str]) -> Self {
        self.optional::<R>(name, docs)
    }

    /// Adds a member that is always present and may be null.
    pub fn nullable<R: Rule>(self, name: &str, docs: &[&str]) -> Self {
        let Self(object) = self.optional_nullable::<R>(name, docs);
        Self(object.required(name))
    }

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

/// Joins the lines of a doc comment. Each line begins with the space after `///`.
pub fn description(docs: &[&str]) -> String {
    docs.iter().map(|line| line.trim()).collect::<Vec<_>>().join("\n")
}
