//! The formats of cells.

use serde::{Deserialize, Serialize};

shared_model::json_object! {
    /// The layout of a cell's text.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct CellFormat {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub align: Option<CellAlign>,
        /// Whether long text continues on another line of the cell.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub wrap: Option<bool>,
    }
}

shared_model::text_enum! {
    /// The side of a cell to which its text is aligned.
    pub enum CellAlign {
        Left = "left",
        Center = "center",
        Right = "right",
    }
}
