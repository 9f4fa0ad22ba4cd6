//! The switch that closes the Orders API. It is stored in the database, so that all replicas obey it.

use diesel::prelude::*;
use shared_model::Error;
use shared_runtime::{Conn, Context};

use crate::{codes::ORDERING_CLOSED, tables::ordering};

/// Refuses with 403 `ordering_closed` while ordering is closed. Call it in the transaction that reads or writes
/// orders.
pub fn must_be_open(conn: &mut Conn) -> Result<(), Error> {
    if ordering::table.select(ordering::is_open).first(conn)? { Ok(()) } else { Err(ORDERING_CLOSED.refusal().into()) }
}

pub async fn set(context: &Context, is_open: bool) -> Result<(), Error> {
    let now = context.clock.now();
    context
        .write(move |conn| {
            diesel::update(ordering::table)
                .set((ordering::is_open.eq(is_open), ordering::changed_at.eq(now)))
                .execute(conn)?;
            Ok(())
        })
        .await
}
