//! The sweep of proposals.

use std::time::Duration;

use shared_runtime::state::sweep::Sweep;

use super::store;

// As long as their plans.
const RETENTION: Duration = Duration::from_secs(2_592_000);

pub const PROPOSALS: Sweep =
    Sweep { name: "proposals", delete_batch: |conn, now, limit| store::delete_old(conn, now.minus(RETENTION), limit) };
