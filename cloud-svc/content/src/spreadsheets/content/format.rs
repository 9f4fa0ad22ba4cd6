//! How the text of a cell is laid out.

use serde::{Deserialize, Serialize};

shared_model::json_object! {
    /// How the text of a cell is laid out.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct CellFormat {
        /// To which side.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub align: Option<CellAlign>,
        /// Whether it goes on in another line where the column ends.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub wrap: Option<bool>,
    }
}

shared_model::text_enum! {
    /// Sides of a cell.
    pub enum CellAlign {
        /// The left one.
        Left = "left",
        /// The middle.
        Center = "center",
        /// The right one.
        Right = "right",
    }
}
