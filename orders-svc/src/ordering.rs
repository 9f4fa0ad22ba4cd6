//! The switch by which an operator closes the Orders API, kept in the database for all replicas.

use actix_web::HttpRequest;
use diesel::prelude::*;
use shared_model::NextAction;
use shared_runtime::{Conn, Desk, Halt, arguments::Argument, openapi::OperationDoc, routes::Operation};

use crate::{codes::ORDERING_CLOSED, schema::ordering};

/// A verb that takes the switch may find it closed, and says so in its description.
#[derive(Clone, Copy, Debug)]
pub struct OrderingSwitch;

impl OrderingSwitch {
    /// 403 `ordering_closed` unless it is open.
    pub fn must_be_open(self, conn: &mut Conn) -> Result<(), Halt> {
        if ordering::table.select(ordering::is_open).first(conn)? {
            Ok(())
        } else {
            Err(ORDERING_CLOSED.refusal().next(NextAction::ContactSupport).into())
        }
    }
}

impl Argument for OrderingSwitch {
    fn describe(doc: &mut OperationDoc) {
        doc.refuses(&ORDERING_CLOSED);
    }

    fn extract(_: &HttpRequest, _: &Operation) -> Result<Self, Halt> {
        Ok(Self)
    }
}

/// Opens or closes.
pub async fn set(desk: &Desk, is_open: bool) -> Result<(), Halt> {
    let now = desk.clock.now();
    desk.write(move |conn| {
        diesel::update(ordering::table)
            .set((ordering::is_open.eq(is_open), ordering::changed_at.eq(now)))
            .execute(conn)?;
        Ok(())
    })
    .await
}
