//! The sweeps of plans.

use std::time::Duration;

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::sweep::Sweep};

use crate::base::{ids::PlanId, tables::edit_plans};

// Plans can be read for 30 days after they expire.
const RETENTION: Duration = Duration::from_secs(2_592_000);

pub const PLANS: Sweep = Sweep { name: "edit plans", delete_batch: delete_plans };

/// Deletes the contents of expired plans.
// At once: a content may have megabytes, and an expired plan can only be rebased, from its operations.
pub const CONTENTS: Sweep = Sweep { name: "contents of edit plans", delete_batch: delete_contents };

fn delete_plans(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let old: Vec<PlanId> = edit_plans::table
        .filter(edit_plans::expires_at.le(now.minus(RETENTION)))
        .select(edit_plans::id)
        .limit(limit)
        .load(conn)?;
    Ok(on_each!(conn, |c| diesel::delete(edit_plans::table.filter(edit_plans::id.eq_any(old))).execute(c))?)
}

fn delete_contents(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let over: Vec<PlanId> = edit_plans::table
        .filter(edit_plans::expires_at.le(now).and(edit_plans::content.is_not_null()))
        .select(edit_plans::id)
        .limit(limit)
        .load(conn)?;
    let emptied = edit_plans::content.eq(None::<String>);
    Ok(on_each!(conn, |c| {
        diesel::update(edit_plans::table.filter(edit_plans::id.eq_any(over))).set(emptied).execute(c)
    })?)
}
