//! The content of publications.

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
    /// A publication of at most 1000000 bytes of JSON.
    // The order of the fields is the order of the members in the canonical text.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct PublicationContent {
        pub format: PublicationFormat | default,
        #[serde(rename = "schemaVersion")]
        pub schema_version: SchemaVersion | default,
        pub pages: Vec<Page> as Array<Page, 1, 24>,
    }
    example = {
        "format": "service/publish-native",
        "schemaVersion": 1,
        "pages": [{
            "id": "front", "name": "Front", "size": "a4", "orientation": "portrait", "background": "#ffffff",
            "elements": [{
                "id": "headline", "type": "text", "x": 10, "y": 12.5, "w": 80, "h": 20, "rotation": 0,
                "text": "Summer fair", "fill": "#ffffff", "color": "#1a2b3c", "fontSize": 48, "align": "center",
                "weight": 700
            }]
        }]
    };
    check = check_whole;

    /// A page.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Page {
        /// Names the page in edits and comments; unique in the file. Random if a request has none.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub id: Option<PartId>,
        pub name: String as Text<120>,
        pub size: PageFormat,
        pub orientation: Orientation,
        /// Background color.
        pub background: String as Color,
        /// From the bottom to the top.
        pub elements: Vec<Element> as Array<Element, 0, ELEMENTS>,
    }
    example = {"name": "Back", "size": "a4", "orientation": "portrait", "background": "#f4f1ea", "elements": []};
}

shared_model::text_enum! {
    /// The format of publications.
    pub enum PublicationFormat {
        Native = "service/publish-native",
    }
    /// The size of a page.
    pub enum PageFormat {
        /// 210 × 297 mm.
        A4 = "a4",
        /// 8.5 × 11 in.
        Letter = "letter",
        Square = "square",
        BusinessCard = "business-card",
    }
    /// The orientation of a page.
    pub enum Orientation {
        Portrait = "portrait",
        Landscape = "landscape",
    }
}

#[expect(clippy::derivable_impls, reason = "the macro that defines the enum derives no Default")]
impl Default for PublicationFormat {
    fn default() -> Self {
        Self::Native
    }
}

fn check_whole(reader: &JsonReader<'_>, content: Option<&PublicationContent>) {
    rules::check_ids::<Page>(reader);
    // The length is that of the canonical text, which exists only if each member is right.
    if let Some(content) = content {
        rules::check_bytes(reader, content, &content.pages);
    }
}

impl Part for Page {
    fn id(&self) -> Option<&PartId> {
        self.id.as_ref()
    }
}

impl Canvas for Page {
    const WORD: &'static str = "page";
    const LIST: &'static str = "pages";

    fn id_mut(&mut self) -> &mut Option<PartId> {
        &mut self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn elements(&self) -> &[Element] {
        &self.elements
    }

    fn elements_mut(&mut self) -> &mut Vec<Element> {
        &mut self.elements
    }

    fn is_same_but_for_elements(&self, other: &Self) -> bool {
        let Self { id, name, size, orientation, background, elements: _ } = self;
        (id, name, size) == (&other.id, &other.name, &other.size)
            && (orientation, background) == (&other.orientation, &other.background)
    }

    fn place(page_id: Option<PartId>) -> ChangedPlace {
        ChangedPlace { page_id, ..ChangedPlace::default() }
    }
}
