//! How a document is laid out.

use serde::Serialize;
use shared_model::{FromJson, JsonReader};
use utoipa::ToSchema;

/// How a document is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = DocumentSettings)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The size of its pages.
    pub page: Page,
    /// How it is read on a screen.
    pub reading: Reading,
}

/// Sizes of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PageSize)]
pub enum Page {
    /// 210 × 297 mm.
    A4,
    /// 8.5 × 11 in.
    Letter,
}

/// Ways to read on a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ReadingMode)]
pub enum Reading {
    /// Page by page.
    Paged,
    /// In one flow.
    Continuous,
}

impl FromJson for Settings {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let page = object.required("page", |reader| reader.one_of(&[("A4", Page::A4), ("Letter", Page::Letter)]));
            let reading = object.required("reading", |reader| {
                reader.one_of(&[("paged", Reading::Paged), ("continuous", Reading::Continuous)])
            });
            Some(Self { page: page?, reading: reading? })
        })
    }
}
