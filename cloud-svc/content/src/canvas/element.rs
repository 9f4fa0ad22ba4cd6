//! What lies on a page or a slide.

use serde::{Deserialize, Serialize};
use shared_model::{
    JsonReader,
    rule::{Rule, Text},
};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

use super::{
    colour::Colour,
    number::{Number, NumberFrom},
};
use crate::{part_id::PartId, parts::Part};

/// Elements of a page or slide at most.
pub const ELEMENTS: usize = 80;

shared_model::json_object! {
    /// A text or a shape on a page or a slide. Places and lengths are in percent of its width and height.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Element {
        /// Names the element for edits and comments, unique in the file. Random when absent from a request, never
        /// absent from an answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub id: Option<PartId>,
        /// What it is.
        #[serde(rename = "type")]
        pub kind: ElementType,
        /// From the left edge to its own.
        pub x: Number as NumberFrom<0, 98>,
        /// From the upper edge to its own.
        pub y: Number as NumberFrom<0, 98>,
        /// Its width.
        pub w: Number as NumberFrom<2, 100>,
        /// Its height.
        pub h: Number as NumberFrom<2, 100>,
        /// How far it is turned clockwise, in degrees.
        pub rotation: Number as NumberFrom<-180, 180>,
        /// Its text.
        pub text: String as Text<10_000>,
        /// The colour of its area.
        pub fill: String as Colour,
        /// The colour of its text.
        pub color: String as Colour,
        /// The size of its text.
        #[serde(rename = "fontSize")]
        pub font_size: Number as NumberFrom<8, 160>,
        /// Where the lines of its text stand.
        pub align: TextAlign,
        /// How bold its text is.
        pub weight: i64 as Weight,
    }
    example = {
        "type": "text", "x": 10, "y": 12.5, "w": 80, "h": 20, "rotation": 0, "text": "Summer fair", "fill": "#ffffff",
        "color": "#1a2b3c", "fontSize": 48, "align": "center", "weight": 700
    };
}

shared_model::text_enum! {
    /// What an element is.
    pub enum ElementType {
        /// A text.
        Text = "text",
        /// A coloured area, which can have text.
        Shape = "shape",
    }
    /// Where the lines of a text stand.
    pub enum TextAlign {
        /// At the left.
        Left = "left",
        /// In the middle.
        Center = "center",
        /// At the right.
        Right = "right",
    }
}

impl Part for Element {
    fn id(&self) -> Option<&PartId> {
        self.id.as_ref()
    }
}

/// How bold a text is: 400, 600, 700 or 800.
pub struct Weight;

impl Weight {
    const ALL: [i64; 4] = [400, 600, 700, 800];
}

impl Rule for Weight {
    type Value = i64;

    fn read(reader: &JsonReader<'_>) -> Option<i64> {
        let weight = reader.value().as_i64().filter(|weight| Self::ALL.contains(weight));
        weight.or_else(|| reader.refuse("must be one of: 400, 600, 700, 800"))
    }

    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some(Self::ALL)).into()
    }
}
