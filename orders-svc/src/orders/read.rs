//! `GET /wp-json/service-net/v1/orders/{order_id}`: one of the owner's orders.

use std::{convert::Infallible, str::FromStr};

use shared_model::{Error, code};
use shared_runtime::{Answer, Caller, Context, IfNoneMatch, Path};
use utoipa::{
    PartialSchema,
    openapi::{RefOr, Schema},
};

use super::{order::Order, store};
use crate::{ids::OrderId, ordering_switch, permissions::ReadOrders};

// A malformed id is 404, but only after the check for 403 `ordering_closed`. While ordering is closed, all ids get the
// same answer.
pub struct OrderIdText(Option<OrderId>);

impl FromStr for OrderIdText {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.parse().ok()))
    }
}

impl PartialSchema for OrderIdText {
    fn schema() -> RefOr<Schema> {
        OrderId::schema()
    }
}

// The order, or 304 if the caller has this version. Drafts, other owners' orders and unknown orders get the same
// 404.
pub async fn read(
    caller: Caller<ReadOrders>,
    Path((OrderIdText(id),)): Path<(OrderIdText,)>,
    seen: IfNoneMatch,
    context: Context,
) -> Result<Answer<Order>, Error> {
    let owner = caller.subject.clone();
    let found = context.look_up(move |conn| {
        ordering_switch::must_be_open(conn)?;
        Ok(match id {
            Some(id) => store::find_placed(conn, &owner, id)?,
            None => None,
        })
    });
    let order = found.await?.ok_or_else(code::not_found)?;
    let etag = order.etag(&context.secret);
    Ok(if seen.has(etag) { Answer::not_modified(etag) } else { Answer::ok(&order)?.etag(etag) })
}
