//! `GET /wp-json/service-net/v1/orders/{order_id}`: one placed order, for the owner who placed it.

use std::{convert::Infallible, str::FromStr};

use shared_model::{Error, Etag, code};
use shared_runtime::{Answer, Caller, Context, IfNoneMatch, Path};

use utoipa::{
    PartialSchema,
    openapi::{RefOr, Schema},
};

use super::{Order, store};
use crate::{ids::OrderId, ordering_switch, permissions::ReadOrders};

/// The id of an order in a URL. Text that is none names no order, which is told only while orders are told at all.
pub struct Named(Option<OrderId>);

impl FromStr for Named {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.parse().ok()))
    }
}

impl PartialSchema for Named {
    fn schema() -> RefOr<Schema> {
        OrderId::schema()
    }
}

/// The order, or 304 for whoever has this version. Drafts, other people's orders and orders that never were are one
/// and the same 404.
pub async fn read(
    caller: Caller<ReadOrders>,
    Path((Named(id),)): Path<(Named,)>,
    seen: IfNoneMatch,
    context: Context,
) -> Result<Answer<Order>, Error> {
    let owner = caller.subject.clone();
    let found = context.read(move |conn| {
        ordering_switch::must_be_open(conn)?;
        Ok(match id {
            Some(id) => store::find_placed(conn, &owner, id)?,
            None => None,
        })
    });
    let order = found.await?.ok_or_else(code::not_found)?;
    let etag = etag(&context, &order);
    Ok(if seen.has(etag) { Answer::not_modified(etag) } else { Answer::ok(&order)?.etag(etag) })
}

/// Changes with the version and with nothing else; guessing one tells nothing.
pub(super) fn etag(context: &Context, order: &Order) -> Etag {
    let version = order.version.to_be_bytes();
    Etag::from_bytes(context.secret.derive("order etag").tag(&[order.id.as_str().as_bytes(), &version]))
}
