//! The switch with which an operator closes the Orders API. It is stored in the database, so that all replicas obey it.

use diesel::prelude::*;
use shared_model::Error;
use shared_runtime::{Conn, Context};

use crate::{codes::ORDERING_CLOSED, schema::ordering};

/// 403 `ordering_closed` unless it is open.
pub fn must_be_open(conn: &mut Conn) -> Result<(), Error> {
    if ordering::table.select(ordering::is_open).first(conn)? { Ok(()) } else { Err(ORDERING_CLOSED.refusal().into()) }
}

/// Opens or closes.
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
