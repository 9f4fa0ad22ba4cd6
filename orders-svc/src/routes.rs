//! Every URL of the Orders API.

use shared_runtime::{Routes, idempotency, state::rate_limit::LimitClass};

use crate::{codes, orders, permissions::ReadOrders};

/// Reads, for each grant.
pub const READ: LimitClass = LimitClass { name: "read", per_minute: 120 };
/// Commands, for each grant.
pub const WRITE: LimitClass = LimitClass { name: "write", per_minute: 60 };

/// The table of routes.
#[rustfmt::skip]
pub fn declare(routes: &mut Routes) {
    routes.get("/wp-json/service-net/v1/orders/{order_id}", &READ, "read_order", orders::read, "Read one placed order; needs an owner grant.")
        .refuses(&codes::ORDERING_CLOSED);
    routes.get("/wp-json/service-net/v1/orders", &READ, "list_orders", orders::list, "List the orders you have placed, newest first; needs an owner grant.")
        .refuses(&codes::ORDERING_CLOSED);
    routes.post("/wp-json/service-net/v1/orders", &WRITE, "create_order", orders::create, "Place an order; the service computes its amounts. Needs an owner grant.")
        .refuses(&codes::ORDERING_CLOSED);
    routes.get("/wp-json/service-net/v1/idempotency/{key}", &READ, "read_command", idempotency::lookup::<ReadOrders>, "Whether a command with this idempotency key has happened; needs an owner grant.");
}
