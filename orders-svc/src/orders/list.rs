//! `GET /wp-json/service-net/v1/orders`: the owner's orders, newest first.

use shared_model::{Cursor, Error};
use shared_runtime::{
    Answer, Caller, Context, Query,
    http::list::{Entries, Page, Position},
};

use super::{order::Order, store};
use crate::{ordering_switch, permissions::ReadOrders};

pub async fn list(
    caller: Caller<ReadOrders>,
    Query(page): Query<Page>,
    context: Context,
) -> Result<Answer<Entries<Order>>, Error> {
    let now = context.clock.now();
    let cursors = Cursor::for_list(&context.secret, "list_orders", &caller.subject, "");
    let (owner, after, rows) = (caller.subject.clone(), page.start(&cursors, now)?, page.rows());
    let found = context.read(move |conn| {
        ordering_switch::must_be_open(conn)?;
        Ok(store::list_placed(conn, &owner, after, rows)?)
    });
    // Never `None` here: the query returns placed orders only.
    let position = |order: &Order| Some(Position::after(order.placed_at?, order.id));
    Ok(page.answer(found.await?, position, &cursors, now)?)
}
