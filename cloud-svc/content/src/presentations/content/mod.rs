//! The content of presentations.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use shared_model::{
    JsonReader,
    rule::{Array, Text},
};

use crate::{
    canvas::{
        Canvas,
        color::Color,
        element::{ELEMENTS, Element},
        rules,
        schema_version::SchemaVersion,
    },
    part_id::PartId,
    parts::Part,
    preview::ChangedPlace,
};

shared_model::json_object! {
    /// A presentation of at most 1000000 bytes of JSON.
    // The order of the fields is the order of the members in the canonical text.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct PresentationContent {
        pub format: PresentationFormat | default,
        #[serde(rename = "schemaVersion")]
        pub schema_version: SchemaVersion | default,
        /// Width to height of the slides. 16:9 if absent.
        pub aspect: Aspect | default,
        pub slides: Vec<Slide> as Array<Slide, 1, 60>,
    }
    example = {
        "format": "service/slides-native",
        "schemaVersion": 1,
        "aspect": "16:9",
        "slides": [{
            "id": "opening", "name": "Opening", "background": "#ffffff",
            "elements": [{
                "id": "headline", "type": "text", "x": 10, "y": 12.5, "w": 80, "h": 20, "rotation": 0,
                "text": "Year in review", "fill": "#ffffff", "color": "#1a2b3c", "fontSize": 48, "align": "left",
                "weight": 700
            }],
            "notes": "Welcome everybody."
        }]
    };
    check = check_whole;

    /// A slide.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Slide {
        /// Names the slide in edits and comments; unique in the file. Random if a request has none.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub id: Option<PartId>,
        pub name: String as Text<120>,
        /// Background color.
        pub background: String as Color,
        /// From the bottom to the top.
        pub elements: Vec<Element> as Array<Element, 0, ELEMENTS>,
        /// The speaker's notes. Empty if absent.
        pub notes: String as Text<5_000> | default,
    }
    example = {"name": "Questions", "background": "#f4f1ea", "elements": [], "notes": "Ten minutes."};
}

shared_model::text_enum! {
    /// The format of presentations.
    pub enum PresentationFormat {
        Native = "service/slides-native",
    }
    /// The width of slides to their height.
    pub enum Aspect {
        Wide = "16:9",
        Standard = "4:3",
    }
}

#[expect(clippy::derivable_impls, reason = "the macro that defines the enum derives no Default")]
impl Default for PresentationFormat {
    fn default() -> Self {
        Self::Native
    }
}

#[expect(clippy::derivable_impls, reason = "the macro that defines the enum derives no Default")]
impl Default for Aspect {
    fn default() -> Self {
        Self::Wide
    }
}

fn check_whole(reader: &JsonReader<'_>, content: Option<&PresentationContent>) {
    rules::check_ids::<Slide>(reader);
    // The length is that of the canonical text, which exists only if each member is right.
    if let Some(content) = content {
        rules::check_bytes(reader, content, &content.slides);
    }
}

impl Part for Slide {
    fn id(&self) -> Option<&PartId> {
        self.id.as_ref()
    }
}

impl Canvas for Slide {
    const WORD: &'static str = "slide";
    const LIST: &'static str = "slides";

    fn id_mut(&mut self) -> &mut Option<PartId> {
        &mut self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn notes(&self) -> &str {
        &self.notes
    }

    fn elements(&self) -> &[Element] {
        &self.elements
    }

    fn elements_mut(&mut self) -> &mut Vec<Element> {
        &mut self.elements
    }

    fn is_same_but_for_elements(&self, other: &Self) -> bool {
        let Self { id, name, background, elements: _, notes } = self;
        (id, name, background, notes) == (&other.id, &other.name, &other.background, &other.notes)
    }

    fn place(slide_id: Option<PartId>) -> ChangedPlace {
        ChangedPlace { slide_id, ..ChangedPlace::default() }
    }
}
