//! Bodies without members: of a command whose URL says everything, and of an answer with nothing to show.

use serde::Serialize;
use utoipa::ToSchema;

shared_model::json_object! {
    /// An object without members.
    #[derive(Clone, Copy, Debug)]
    pub struct Empty {}
    example = {};
}

/// The command is done and has nothing to show.
// Not `Empty`, which is a request body: this answer also gets `request_id` and `replayed`.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Done {}
