//! Every URL of the locker.

use shared_runtime::{
    Routes,
    rate_limit::{By, LimitClass},
};

use crate::{catalogue, codes, subscriptions};

/// Reads, for each grant (spec: Limits).
pub const READ: LimitClass = LimitClass { name: "read", per_minute: 120, by: By::Grant };
/// The public catalogue, for each source address.
pub const CATALOGUE: LimitClass = LimitClass { name: "catalogue", per_minute: 60, by: By::Address };

/// The table of routes.
#[rustfmt::skip]
pub fn declare(routes: &mut Routes) {
    routes.get("/api/v1/catalogue", &CATALOGUE, "get_catalogue", catalogue::read, "Planned room prices and availability.")
        .refuses(&codes::CATALOGUE_UNAVAILABLE);
    routes.get("/api/v1/billing/subscriptions", &READ, "list_subscriptions", subscriptions::list, "Subscriptions visible to the connection, newest first.");
}
