//! The body of a command that says all in its URL, and the answer of one that leaves nothing.

use serde::Serialize;
use utoipa::ToSchema;

shared_model::json_object! {
    /// An object without members.
    #[derive(Clone, Copy, Debug)]
    pub struct Empty {}
    example = {};
}

/// It has happened, and leaves nothing to show. Not the body of a request: an answer also has `request_id` and `replayed`.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Done {}
