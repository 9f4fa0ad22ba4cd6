//! `GET /wp-json/service-net/v1/orders/{order_id}`: one placed order, for the owner who placed it.

use shared_model::Etag;
use shared_runtime::{Answer, Caller, Desk, Halt, IfNoneMatch, Path, Refusal};

use super::{Order, store};
use crate::{ids::OrderId, ordering, permissions::ReadOrders};

/// The order, or 304 for whoever has this version. Drafts, other people's orders and orders that never were are one
/// and the same 404.
pub async fn read(
    caller: Caller<ReadOrders>,
    Path((id,)): Path<(OrderId,)>,
    seen: IfNoneMatch,
    desk: Desk,
) -> Result<Answer<Order>, Halt> {
    let owner = caller.subject.clone();
    let found = desk.read(move |conn| {
        ordering::must_be_open(conn)?;
        Ok(store::find_placed(conn, &owner, id)?)
    });
    let order = found.await?.ok_or_else(Refusal::not_found)?;
    let etag = etag(&desk, &order);
    Ok(if seen.has(etag) { Answer::not_modified(etag) } else { Answer::ok(&order)?.etag(etag) })
}

/// Changes with the version and with nothing else; guessing one tells nothing.
pub(super) fn etag(desk: &Desk, order: &Order) -> Etag {
    let version = order.version.to_be_bytes();
    Etag::from_bytes(desk.secret.derive("order etag").tag(&[order.id.as_str().as_bytes(), &version]))
}
