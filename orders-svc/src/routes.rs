//! Every URL of the Orders API.

use shared_runtime::{Routes, idempotency, mcp, state::rate_limit::LimitClass};

use crate::{
    codes, orders,
    permissions::{LookUpCommands, ReadOrders},
};

pub const READ: LimitClass = LimitClass { name: "read", per_minute: 120 };
pub const WRITE: LimitClass = LimitClass { name: "write", per_minute: 60 };

pub fn declare(routes: &mut Routes) {
    routes
        .get("/wp-json/service-net/v1/orders/{order_id}", "read_order", &READ, orders::read)
        .summary("Get one of your orders. Needs an owner grant.")
        .description(
            "Returns your own orders only: drafts, other people's orders and unknown ids get the same 404. The `ETag` \
             changes with the order's `version`. Supports `If-None-Match` (304).",
        )
        .refuses(&codes::ORDERING_CLOSED);
    routes
        .get("/wp-json/service-net/v1/orders", "list_orders", &READ, orders::list)
        .summary("List the orders that you placed, newest first. Needs an owner grant.")
        .description(
            "Lists whole orders, without drafts, sorted by `placed_at` and `id`, which never change. Continue with \
             `meta.next_cursor` until it is null.",
        )
        .refuses(&codes::ORDERING_CLOSED);
    routes
        .post("/wp-json/service-net/v1/orders", "create_order", &WRITE, orders::create)
        .summary("Place an order. Needs an owner grant.")
        .description(
            "The service computes the amounts: a line costs `quantity` times `unit_minor`; the total is the sum of \
             the lines minus `discount_minor` plus `tax_minor`. If you send `expected_total_minor`, any other total \
             is refused. Returns the order with its `ETag`; `Location` is its URL.",
        )
        .refuses(&codes::ORDERING_CLOSED);
    routes
        .get("/wp-json/service-net/v1/idempotency/{key}", "read_command", &READ, idempotency::lookup::<LookUpCommands>)
        .summary("Check whether a command with this idempotency key was executed. Needs an owner grant.")
        .description(idempotency::LOOKUP_DESCRIPTION);
    routes
        .post(mcp::PATH, "send_mcp_message", &READ, mcp::serve::<ReadOrders>)
        .summary("Send a Model Context Protocol message.")
        .description(mcp::DESCRIPTION);
}
