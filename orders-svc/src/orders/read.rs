//! `GET /wp-json/service-net/v1/orders/{order_id}`: one placed order, for the owner who placed it.

use shared_model::{Etag, NextAction};
use shared_runtime::{Answer, Caller, Desk, Halt, Identity, IfNoneMatch, Path, Permission, Refusal, code};

use super::{Order, store};
use crate::{ids::OrderId, ordering};

/// `net.orders.read`, under an owner grant.
pub struct ReadOrders;

impl Permission for ReadOrders {
    const SCOPE: &'static str = "net.orders.read";

    fn check(identity: &Identity) -> Result<(), Refusal> {
        if identity.grant_kind.as_deref() == Some("owner") {
            return Ok(());
        }
        Err(code::INSUFFICIENT_SCOPE
            .because("Orders are read under an owner grant; this token's grant is of another kind.")
            .next(NextAction::RequestScope { scope: Self::SCOPE.to_owned() }))
    }
}

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
fn etag(desk: &Desk, order: &Order) -> Etag {
    let version = order.version.to_be_bytes();
    Etag::from_bytes(desk.secret.derive("order etag").tag(&[order.id.as_str().as_bytes(), &version]))
}
