//! Presentation content.

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
        colour::Colour,
        element::{ELEMENTS, Element},
        rules,
        schema_version::SchemaVersion,
    },
    part_id::PartId,
    parts::Part,
    preview::ChangedPlace,
};

shared_model::json_object! {
    /// The slides of a presentation; 1000000 bytes of JSON at most. The order of members here is the order in which
    /// they are stored and shown.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct PresentationContent {
        /// The shape of the content.
        pub format: PresentationFormat | default,
        /// The version of the shape.
        #[serde(rename = "schemaVersion")]
        pub schema_version: SchemaVersion | default,
        /// Width to height of the slides; absent: 16:9.
        pub aspect: Aspect | default,
        /// The slides.
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

    /// A slide of a presentation.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Slide {
        /// Names the slide for edits and comments, unique in the file. Random when absent from a request, never absent
        /// from an answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub id: Option<PartId>,
        /// Its name.
        pub name: String as Text<120>,
        /// The colour of its ground.
        pub background: String as Colour,
        /// What lies on it, from the bottom to the top.
        pub elements: Vec<Element> as Array<Element, 0, ELEMENTS>,
        /// What the speaker says with it; absent: nothing.
        pub notes: String as Text<5_000> | default,
    }
    example = {"name": "Questions", "background": "#f4f1ea", "elements": [], "notes": "Ten minutes."};
}

shared_model::text_enum! {
    /// The shape of the content of a presentation.
    pub enum PresentationFormat {
        /// Slides with elements.
        Native = "service/slides-native",
    }
    /// Width to height of slides.
    pub enum Aspect {
        /// Wide.
        Wide = "16:9",
        /// Nearly square.
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
