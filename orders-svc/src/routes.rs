//! Every URL of the Orders API.

use shared_runtime::{Routes, idempotency, mcp, state::rate_limit::LimitClass};

use crate::{codes, orders, permissions::ReadOrders};

/// Reads, for each grant.
pub const READ: LimitClass = LimitClass { name: "read", per_minute: 120 };
/// Commands, for each grant.
pub const WRITE: LimitClass = LimitClass { name: "write", per_minute: 60 };

/// The table of routes.
pub fn declare(routes: &mut Routes) {
    routes
        .get("/wp-json/service-net/v1/orders/{order_id}", "read_order", &READ, orders::read)
        .summary("Read one placed order; needs an owner grant.")
        .description(
            "Yours alone: drafts, orders of others and ids that do not exist are the same 404. Carries an `ETag`, \
             which changes with the order's `version`; answers 304 to `If-None-Match`.",
        )
        .refuses(&codes::ORDERING_CLOSED);
    routes
        .get("/wp-json/service-net/v1/orders", "list_orders", &READ, orders::list)
        .summary("List the orders you have placed, newest first; needs an owner grant.")
        .description(
            "Whole orders, by `placed_at` and `id`, which never change; drafts are in no list. Go on with \
             `meta.next_cursor` until it is null.",
        )
        .refuses(&codes::ORDERING_CLOSED);
    routes
        .post("/wp-json/service-net/v1/orders", "create_order", &WRITE, orders::create)
        .summary("Place an order; the service computes its amounts. Needs an owner grant.")
        .description(
            "Each line comes to `quantity` times `unit_minor`, the order to its lines less `discount_minor` plus \
             `tax_minor`. With `expected_total_minor` it is refused when it comes to anything else. The answer is \
             the order, with its `ETag`; `Location` is where to read it.",
        )
        .refuses(&codes::ORDERING_CLOSED);
    routes
        .get("/wp-json/service-net/v1/idempotency/{key}", "read_command", &READ, idempotency::lookup::<ReadOrders>)
        .summary("Whether a command with this idempotency key has happened; needs an owner grant.")
        .description(idempotency::LOOKUP_DESCRIPTION);
    routes
        .post(mcp::PATH, "send_mcp_message", &READ, mcp::serve::<ReadOrders>)
        .summary("Speak the Model Context Protocol.")
        .description(mcp::DESCRIPTION);
}
