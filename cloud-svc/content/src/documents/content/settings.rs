//! The layout of documents.

use serde::{Deserialize, Serialize};

shared_model::json_object! {
    /// The layout of a document.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct DocumentSettings {
        pub page: PageSize,
        /// How the document is shown on a screen.
        pub reading: ReadingMode,
    }
}

shared_model::text_enum! {
    /// The size of the pages.
    pub enum PageSize {
        /// 210 × 297 mm.
        A4 = "A4",
        /// 8.5 × 11 in.
        Letter = "Letter",
    }
    /// How a document is shown on a screen: page by page, or in one flow.
    pub enum ReadingMode {
        Paged = "paged",
        Continuous = "continuous",
    }
}
