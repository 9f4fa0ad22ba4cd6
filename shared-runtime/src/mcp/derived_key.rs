//! The idempotency key of a call that has none: the same call within 10 to 20 minutes is a retry.
//!
//! Clients and models repeat a call whose answer was lost, and rarely with the same key of their own.

use shared_model::Error;

use super::{arguments::Arguments, tool::Tool};
use crate::{http::operations::Operations, idempotency};

const WINDOW_SECONDS: i64 = 600;
// A command ends at the latest some seconds after its caller gave up, and clients repeat it soon.
const EARLY_SECONDS: i64 = 60;

/// A key of the grant, the tool and the arguments, for this window of time. If the same call was made in the window
/// before, it has the key of that window.
pub(super) async fn of_call(operations: &Operations, tool: &Tool, arguments: &Arguments) -> Result<String, Error> {
    let context = operations.context();
    let grant = operations.identity().map(|identity| identity.grant_id.as_str()).unwrap_or_default();
    // Members are sorted.
    let arguments = serde_json::to_vec(arguments)?;
    let now = context.clock.now().seconds();
    let window = now / WINDOW_SECONDS;
    let key = |window: i64| {
        let parts = [grant.as_bytes(), tool.name.as_bytes(), &arguments, &window.to_be_bytes()];
        format!("mcp-{}", hex::encode(&context.secret.derive("mcp derived key").tag(&parts)[..16]))
    };
    let Some(identity) = operations.identity() else { return Ok(key(window)) };
    let before = key(window - 1);
    // Keys belong to operations, and the tool may have called any of its own.
    let contracts = tool.operations.iter().filter_map(|id| operations.contract(id));
    let contracts: Vec<_> = contracts.filter(|contract| contract.takes_key).collect();
    for contract in &contracts {
        if idempotency::was_used(context, contract, identity, &before).await? {
            return Ok(before);
        }
    }
    // The same call may have begun in the window before, and still commit although its caller has gone.
    let is_early = now % WINDOW_SECONDS < EARLY_SECONDS;
    if is_early && idempotency::has_happened(context, &contracts, identity, &before).await? {
        return Ok(before);
    }
    Ok(key(window))
}
