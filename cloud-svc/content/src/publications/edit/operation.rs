//! The operations on publications.

use serde::Serialize;

use crate::{canvas::element::Element, part_id::PartId, parts::check_after_id, publications::content::Page};

crate::operations! {
    /// An edit of a publication.
    pub enum PublicationOperation {
        "insert_page" => InsertPage,
        "replace_page" => ReplacePage,
        "delete_page" => DeletePage,
        "move_page" => MovePage,
        "insert_element" => InsertElement,
        "replace_element" => ReplaceElement,
        "delete_element" => DeleteElement,
        "move_element" => MoveElement,
    }
}

shared_model::json_object! {
    /// Inserts a page.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "insert_page")]
    pub struct InsertPage {
        pub page: Page,
        /// Inserts after this page, or at the end if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub after_id: Option<PartId>,
    }

    /// Replaces a page, which keeps its id.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_page")]
    pub struct ReplacePage {
        pub page_id: PartId,
        /// Its `id` must be absent or the same.
        pub page: Page,
    }

    /// Deletes a page and its elements.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "delete_page")]
    pub struct DeletePage {
        pub page_id: PartId,
    }

    /// Moves a page.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "move_page")]
    pub struct MovePage {
        pub page_id: PartId,
        /// Moves after this page, or to the beginning if null.
        pub after_id: Option<PartId> | null,
    }
    check = check_after_id;

    /// Inserts an element on a page.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "insert_element")]
    pub struct InsertElement {
        pub page_id: PartId,
        pub element: Element,
        /// Inserts above this element, or on top of all if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub after_id: Option<PartId>,
    }

    /// Replaces an element, which keeps its id.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_element")]
    pub struct ReplaceElement {
        pub page_id: PartId,
        pub element_id: PartId,
        /// Its `id` must be absent or the same.
        pub element: Element,
    }

    /// Deletes an element.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "delete_element")]
    pub struct DeleteElement {
        pub page_id: PartId,
        pub element_id: PartId,
    }

    /// Moves an element above or below others of its page.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "move_element")]
    pub struct MoveElement {
        pub page_id: PartId,
        pub element_id: PartId,
        /// Moves above this element, or below all if null.
        pub after_id: Option<PartId> | null,
    }
    check = check_after_id;
}
