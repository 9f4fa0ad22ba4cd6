//! The elements of pages and slides.

use serde::{Deserialize, Serialize};
use shared_model::{
    JsonReader,
    rule::{Rule, Text},
};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

use super::{
    color::Color,
    number::{Number, NumberFrom},
};
use crate::{part_id::PartId, parts::Part};

/// The most elements of one page or slide.
pub const ELEMENTS: usize = 80;

shared_model::json_object! {
    /// A text or a shape on a page or a slide. Positions and lengths are percentages of its width and height.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Element {
        /// Names the element in edits and comments; unique in the file. Random if a request has none.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub id: Option<PartId>,
        #[serde(rename = "type")]
        pub kind: ElementType,
        /// Distance of its left edge from the left edge of the page.
        pub x: Number as NumberFrom<0, 98>,
        /// Distance of its upper edge from the upper edge of the page.
        pub y: Number as NumberFrom<0, 98>,
        /// Width.
        pub w: Number as NumberFrom<2, 100>,
        /// Height.
        pub h: Number as NumberFrom<2, 100>,
        /// Degrees clockwise.
        pub rotation: Number as NumberFrom<-180, 180>,
        pub text: String as Text<10_000>,
        /// Background color.
        pub fill: String as Color,
        /// Text color.
        pub color: String as Color,
        #[serde(rename = "fontSize")]
        pub font_size: Number as NumberFrom<8, 160>,
        /// How the lines of the text are aligned.
        pub align: TextAlign,
        /// How bold the text is.
        pub weight: i64 as Weight,
    }
    example = {
        "type": "text", "x": 10, "y": 12.5, "w": 80, "h": 20, "rotation": 0, "text": "Summer fair", "fill": "#ffffff",
        "color": "#1a2b3c", "fontSize": 48, "align": "center", "weight": 700
    };
}

shared_model::text_enum! {
    /// The type of an element.
    pub enum ElementType {
        Text = "text",
        /// A colored area, with or without text.
        Shape = "shape",
    }
    /// How the lines of a text are aligned.
    pub enum TextAlign {
        Left = "left",
        Center = "center",
        Right = "right",
    }
}

impl Part for Element {
    fn id(&self) -> Option<&PartId> {
        self.id.as_ref()
    }
}

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
