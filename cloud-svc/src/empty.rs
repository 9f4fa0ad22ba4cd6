//! The body of a command that says all in its URL, and the answer of one that leaves nothing.

use serde::Serialize;

shared_model::json_object! {
    /// An object without members.
    #[derive(Clone, Copy, Debug, Serialize)]
    pub struct Empty {}
    example = {};
}
