//! The published OpenAPI document, read as far as a page needs it.
//!
//! Cloud's has two megabytes, and its tree would have twenty. So nothing of it is kept. A request for a page scans the
//! text, which takes some milliseconds, and borrows from it. It parses only the operation and the schemas that it
//! shows.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use shared_model::Failure;

use crate::http::openapi::inline;

/// The document, with operations and schemas still text.
#[derive(Deserialize)]
pub struct Document<'a> {
    /// What it is about.
    pub info: Info,
    #[serde(borrow)]
    paths: BTreeMap<String, BTreeMap<String, &'a RawValue>>,
    #[serde(borrow)]
    components: Components<'a>,
}

/// The document's own description.
#[derive(Deserialize)]
pub struct Info {
    /// Paragraphs with `code` and **strong** words.
    pub description: String,
}

#[derive(Deserialize)]
struct Components<'a> {
    #[serde(borrow)]
    schemas: BTreeMap<String, &'a RawValue>,
    #[serde(borrow, default)]
    responses: BTreeMap<String, &'a RawValue>,
    #[serde(borrow, default)]
    headers: BTreeMap<String, &'a RawValue>,
    #[serde(borrow, default)]
    parameters: BTreeMap<String, &'a RawValue>,
}

impl Components<'_> {
    /// The component of a kind with this name.
    fn find(&self, kind: &str, name: &str) -> Option<Value> {
        let named = match kind {
            "responses" => &self.responses,
            "headers" => &self.headers,
            "parameters" => &self.parameters,
            _ => &self.schemas,
        };
        serde_json::from_str(named.get(name)?.get()).ok()
    }
}

/// An operation, as an index shows it.
#[derive(Deserialize)]
pub struct Outline {
    /// Its name in programs.
    #[serde(rename = "operationId")]
    pub id: String,
    /// What it does, in a sentence.
    pub summary: String,
    /// Its method in upper case.
    #[serde(skip)]
    pub method: String,
    /// Its path, with parameters in braces.
    #[serde(skip)]
    pub path: String,
}

impl Outline {
    /// The kind of thing that it acts on: the part of the path after the version.
    pub fn group(&self) -> &str {
        let mut parts = self.path.split('/');
        let is_version = |part: &str| part.strip_prefix('v').is_some_and(|n| n.parse::<u8>().is_ok());
        parts.find(|part| is_version(part)).and_then(|_| parts.next()).unwrap_or("the service itself")
    }
}

impl<'a> Document<'a> {
    /// Scans the text.
    pub fn read(text: &'a str) -> Result<Self, Failure> {
        Ok(serde_json::from_str(text)?)
    }

    /// Every operation, by path.
    pub fn outlines(&self) -> Result<Vec<Outline>, Failure> {
        let mut outlines = Vec::new();
        for (path, methods) in &self.paths {
            for (method, operation) in methods {
                let outline: Outline = serde_json::from_str(operation.get())?;
                outlines.push(Outline { method: method.to_uppercase(), path: path.clone(), ..outline });
            }
        }
        Ok(outlines)
    }

    /// The operation with this id, its shared parts included.
    pub fn operation(&self, id: &str) -> Result<Option<(Outline, Value)>, Failure> {
        let Some(outline) = self.outlines()?.into_iter().find(|outline| outline.id == id) else { return Ok(None) };
        let operation = self.paths.get(&outline.path).and_then(|methods| methods.get(&outline.method.to_lowercase()));
        let Some(text) = operation else { return Ok(None) };
        let mut operation = serde_json::from_str(text.get())?;
        inline(&mut operation, |kind, name| self.components.find(kind, name));
        Ok(Some((outline, operation)))
    }

    /// The schema with this name.
    pub fn schema(&self, name: &str) -> Result<Option<Value>, Failure> {
        Ok(self.components.schemas.get(name).map(|text| serde_json::from_str(text.get())).transpose()?)
    }
}

/// The name of the schema that is referred to.
pub fn referred(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/components/schemas/")
}
