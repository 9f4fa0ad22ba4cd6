//! The edits of a presentation.

use serde::Serialize;

use crate::{canvas::element::Element, part_id::PartId, presentations::content::Slide};

crate::operations! {
    /// An edit of a presentation.
    pub enum PresentationOperation {
        "insert_slide" => InsertSlide,
        "replace_slide" => ReplaceSlide,
        "delete_slide" => DeleteSlide,
        "move_slide" => MoveSlide,
        "insert_element" => InsertSlideElement,
        "replace_element" => ReplaceSlideElement,
        "delete_element" => DeleteSlideElement,
        "move_element" => MoveSlideElement,
    }
}

shared_model::json_object! {
    /// Inserts a slide.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "insert_slide")]
    pub struct InsertSlide {
        /// The slide.
        pub slide: Slide,
        /// After which slide; absent: at the end.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub after_id: Option<PartId>,
    }

    /// Puts a slide in the place of another, whose id it keeps.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_slide")]
    pub struct ReplaceSlide {
        /// Which slide.
        pub slide_id: PartId,
        /// What it becomes; its `id` is absent or the same.
        pub slide: Slide,
    }

    /// Deletes a slide and its elements.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "delete_slide")]
    pub struct DeleteSlide {
        /// Which slide.
        pub slide_id: PartId,
    }

    /// Moves a slide.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "move_slide")]
    pub struct MoveSlide {
        /// Which slide.
        pub slide_id: PartId,
        /// After which other slide; null: to the beginning.
        pub after_id: Option<PartId> | null,
    }

    /// Inserts an element on a slide.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "insert_element")]
    pub struct InsertSlideElement {
        /// Which slide.
        pub slide_id: PartId,
        /// The element.
        pub element: Element,
        /// On which element of the slide; absent: on top of all.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub after_id: Option<PartId>,
    }

    /// Puts an element in the place of another, whose id it keeps.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_element")]
    pub struct ReplaceSlideElement {
        /// On which slide.
        pub slide_id: PartId,
        /// Which element.
        pub element_id: PartId,
        /// What it becomes; its `id` is absent or the same.
        pub element: Element,
    }

    /// Deletes an element.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "delete_element")]
    pub struct DeleteSlideElement {
        /// On which slide.
        pub slide_id: PartId,
        /// Which element.
        pub element_id: PartId,
    }

    /// Moves an element among those of its slide.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "move_element")]
    pub struct MoveSlideElement {
        /// On which slide.
        pub slide_id: PartId,
        /// Which element.
        pub element_id: PartId,
        /// On which other element of the slide; null: below all.
        pub after_id: Option<PartId> | null,
    }
}
