//! The arguments of a tool, and their JSON schema.
//!
//! Only what all common model APIs and their SDKs take: `type`, `properties`, `required`, `items`, `enum` of words,
//! `description`. `additionalProperties` is not among them: one SDK fails at it, and others add it themselves. What such
//! a schema cannot say, the operation's refusals say.

use serde_json::{Map, Value, json};

#[derive(Debug)]
pub struct ToolArgument {
    pub name: &'static str,
    pub shape: Shape,
    pub is_required: bool,
    /// For the model that fills it in. Empty if the name says all: each model pays for each word.
    pub description: &'static str,
}

#[derive(Debug)]
pub enum Shape {
    Text,
    Integer,
    Number,
    Flag,
    /// One of these words.
    Word(Vec<&'static str>),
    List(Box<Shape>),
    Object(Vec<ToolArgument>),
}

impl ToolArgument {
    pub fn new(name: &'static str, shape: Shape) -> Self {
        Self { name, shape, is_required: false, description: "" }
    }

    pub fn text(name: &'static str) -> Self {
        Self::new(name, Shape::Text)
    }

    pub fn integer(name: &'static str) -> Self {
        Self::new(name, Shape::Integer)
    }

    pub fn flag(name: &'static str) -> Self {
        Self::new(name, Shape::Flag)
    }

    pub fn word(name: &'static str, words: &[&'static str]) -> Self {
        Self::new(name, Shape::Word(words.to_vec()))
    }

    pub fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    pub fn says(mut self, description: &'static str) -> Self {
        self.description = description;
        self
    }

    fn schema(&self) -> Value {
        let mut schema = self.shape.schema();
        if !self.description.is_empty() {
            schema["description"] = self.description.into();
        }
        schema
    }
}

impl Shape {
    pub fn list(of: Shape) -> Self {
        Self::List(Box::new(of))
    }

    fn schema(&self) -> Value {
        match self {
            Self::Text => json!({"type": "string"}),
            Self::Integer => json!({"type": "integer"}),
            Self::Number => json!({"type": "number"}),
            Self::Flag => json!({"type": "boolean"}),
            Self::Word(words) => json!({"type": "string", "enum": words}),
            Self::List(of) => json!({"type": "array", "items": of.schema()}),
            Self::Object(members) => Value::Object(object(members)),
        }
    }
}

/// The schema of an object with these members.
pub(super) fn object(members: &[ToolArgument]) -> Map<String, Value> {
    let properties: Map<String, Value> =
        members.iter().map(|member| (member.name.to_owned(), member.schema())).collect();
    let required: Vec<_> = members.iter().filter(|member| member.is_required).map(|member| member.name).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema
}
