//! The state of a question on its way through the client. It is sealed: nobody else can make or change one.

use serde_json::json;
use shared_model::{Cursor, cursor::CursorPosition};

use super::tool::Tool;
use crate::http::operations::Operations;

pub(super) enum Opened {
    State(String),
    /// The person took too long: the question is asked again.
    Expired,
    Forged,
}

pub(super) fn seal(operations: &Operations, tool: &Tool, state: &str) -> String {
    sealing(operations, tool).encode(state, operations.context().clock.now())
}

pub(super) fn open(operations: &Operations, tool: &Tool, sealed: &str) -> Opened {
    match sealing(operations, tool).decode_with_expiry(sealed, operations.context().clock.now()) {
        Ok(CursorPosition { position, is_expired: false }) => Opened::State(position),
        Ok(_) => Opened::Expired,
        Err(_) => Opened::Forged,
    }
}

// Bound to caller and tool: an agreement serves nobody else, and nothing else.
fn sealing(operations: &Operations, tool: &Tool) -> Cursor {
    let caller = operations.identity().map(|identity| json!([identity.grant_id, identity.actor]).to_string());
    Cursor::for_list(&operations.context().secret, "mcp_request_state", &caller.unwrap_or_default(), tool.name)
}
