//! The outline of a publication or presentation: `view=outline`.

use serde::Serialize;
use utoipa::ToSchema;

use super::Canvas;
use crate::{excerpt::excerpt, part_id::PartId, preview::ChangedPlace};

/// A page or a slide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(example = json!({"page_id": "front", "name": "Front", "elements": 1, "text": "Summer fair"}))]
pub struct CanvasOutline {
    /// The page; absent in a presentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_id: Option<PartId>,
    /// The slide; absent in a publication.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slide_id: Option<PartId>,
    /// Untrusted.
    #[schema(max_length = 120)]
    pub name: String,
    /// The number of elements.
    #[schema(maximum = 80)]
    pub elements: usize,
    /// The first 120 characters of the first text that is not blank: untrusted.
    #[schema(max_length = 480)]
    pub text: String,
}

pub fn outline<C: Canvas>(canvases: &[C]) -> Vec<CanvasOutline> {
    let entry = |canvas: &C| {
        let ChangedPlace { page_id, slide_id, .. } = C::place(canvas.id().cloned());
        let text = canvas.elements().iter().map(|element| element.text.as_str()).find(|text| !text.trim().is_empty());
        let (name, elements) = (canvas.name().to_owned(), canvas.elements().len());
        CanvasOutline { page_id, slide_id, name, elements, text: excerpt(text) }
    };
    canvases.iter().map(entry).collect()
}
