//! The operations on presentations.

use serde::Serialize;

use crate::{canvas::element::Element, part_id::PartId, parts::check_after_id, presentations::content::Slide};

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
        pub slide: Slide,
        /// Inserts after this slide, or at the end if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub after_id: Option<PartId>,
    }

    /// Replaces a slide, which keeps its id.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_slide")]
    pub struct ReplaceSlide {
        pub slide_id: PartId,
        /// Its `id` must be absent or the same.
        pub slide: Slide,
    }

    /// Deletes a slide and its elements.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "delete_slide")]
    pub struct DeleteSlide {
        pub slide_id: PartId,
    }

    /// Moves a slide.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "move_slide")]
    pub struct MoveSlide {
        pub slide_id: PartId,
        /// Moves after this slide, or to the beginning if null.
        pub after_id: Option<PartId> | null,
    }
    check = check_after_id;

    /// Inserts an element on a slide.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "insert_element")]
    pub struct InsertSlideElement {
        pub slide_id: PartId,
        pub element: Element,
        /// Inserts above this element, or on top of all if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub after_id: Option<PartId>,
    }

    /// Replaces an element, which keeps its id.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_element")]
    pub struct ReplaceSlideElement {
        pub slide_id: PartId,
        pub element_id: PartId,
        /// Its `id` must be absent or the same.
        pub element: Element,
    }

    /// Deletes an element.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "delete_element")]
    pub struct DeleteSlideElement {
        pub slide_id: PartId,
        pub element_id: PartId,
    }

    /// Moves an element above or below others of its slide.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "move_element")]
    pub struct MoveSlideElement {
        pub slide_id: PartId,
        pub element_id: PartId,
        /// Moves above this element, or below all if null.
        pub after_id: Option<PartId> | null,
    }
    check = check_after_id;
}
