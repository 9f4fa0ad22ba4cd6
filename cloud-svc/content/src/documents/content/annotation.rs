//! Remarks on blocks.

use serde::{Deserialize, Serialize};
use shared_model::rule::{Integer, Text};

use super::block::BLOCKS;

shared_model::json_object! {
    /// A remark on a block.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Annotation {
        /// The index of an existing block.
        pub block: i64 as Integer<0, { BLOCKS as i64 - 1 }>,
        /// The remark.
        pub text: String as Text<500>,
    }
}
