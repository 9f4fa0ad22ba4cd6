//! The edits of a publication.

use serde::Serialize;

use crate::{canvas::element::Element, part_id::PartId, publications::content::Page};

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
        /// The page.
        pub page: Page,
        /// After which page; absent: at the end.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub after_id: Option<PartId>,
    }

    /// Puts a page in the place of another, whose id it keeps.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_page")]
    pub struct ReplacePage {
        /// Which page.
        pub page_id: PartId,
        /// What it becomes; its `id` is absent or the same.
        pub page: Page,
    }

    /// Deletes a page and its elements.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "delete_page")]
    pub struct DeletePage {
        /// Which page.
        pub page_id: PartId,
    }

    /// Moves a page.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "move_page")]
    pub struct MovePage {
        /// Which page.
        pub page_id: PartId,
        /// After which other page; null: to the beginning.
        pub after_id: Option<PartId> | null,
    }

    /// Inserts an element on a page.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "insert_element")]
    pub struct InsertElement {
        /// Which page.
        pub page_id: PartId,
        /// The element.
        pub element: Element,
        /// On which element of the page; absent: on top of all.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub after_id: Option<PartId>,
    }

    /// Puts an element in the place of another, whose id it keeps.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "replace_element")]
    pub struct ReplaceElement {
        /// On which page.
        pub page_id: PartId,
        /// Which element.
        pub element_id: PartId,
        /// What it becomes; its `id` is absent or the same.
        pub element: Element,
    }

    /// Deletes an element.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "delete_element")]
    pub struct DeleteElement {
        /// On which page.
        pub page_id: PartId,
        /// Which element.
        pub element_id: PartId,
    }

    /// Moves an element among those of its page.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "op", rename = "move_element")]
    pub struct MoveElement {
        /// On which page.
        pub page_id: PartId,
        /// Which element.
        pub element_id: PartId,
        /// On which other element of the page; null: below all.
        pub after_id: Option<PartId> | null,
    }
}
