//! How a document is laid out.

use serde::{Deserialize, Serialize};

shared_model::json_object! {
    /// How a document is laid out.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct DocumentSettings {
        /// The size of its pages.
        pub page: PageSize,
        /// How it is read on a screen.
        pub reading: ReadingMode,
    }
}

shared_model::text_enum! {
    /// Sizes of a page.
    pub enum PageSize {
        /// 210 × 297 mm.
        A4 = "A4",
        /// 8.5 × 11 in.
        Letter = "Letter",
    }
    /// Ways to read on a screen.
    pub enum ReadingMode {
        /// Page by page.
        Paged = "paged",
        /// In one flow.
        Continuous = "continuous",
    }
}
