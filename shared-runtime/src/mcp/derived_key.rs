//! The idempotency key of a call that has none: the same call within 10 to 20 minutes is a retry.
//!
//! Clients and models repeat a call whose answer was lost, and rarely with the same key of their own.

use shared_model::Error;

use super::{arguments::Arguments, tool::Tool};
use crate::{http::operations::Operations, idempotency};

const WINDOW_SECONDS: i64 = 600;

/// A key of the grant, the tool and the arguments, for this window of time. If the same call was made in the window
/// before, it has the key of that window.
pub(super) async fn of_call(operations: &Operations, tool: &Tool, arguments: &Arguments) -> Result<String, Error> {
    let context = operations.context();
    let grant = operations.identity().map(|identity| identity.grant_id.as_str()).unwrap_or_default();
    // Members are sorted.
    let arguments = serde_json::to_vec(arguments)?;
    let window = context.clock.now().seconds() / WINDOW_SECONDS;
    let key = |window: i64| {
        let parts = [grant.as_bytes(), tool.name.as_bytes(), &arguments, &window.to_be_bytes()];
        format!("mcp-{}", hex::encode(&context.secret.derive("mcp derived key").tag(&parts)[..16]))
    };
    let before = key(window - 1);
    // Keys belong to operations, and the tool may have called any of its own.
    for id in tool.operations {
        let Some(contract) = operations.contract(id).filter(|contract| contract.takes_key) else { continue };
        let Some(identity) = operations.identity() else { continue };
        if idempotency::was_used(context, contract, identity, &before).await? {
            return Ok(before);
        }
    }
    Ok(key(window))
}
