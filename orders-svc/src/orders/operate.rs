//! `orders-svc order show|move`: what an operator does to one order.

use std::{error::Error, fmt};

use shared_model::Moment;
use shared_runtime::{Conn, Desk, Failure, cli};

use super::{Change, Illegal, OrderState, Record, store};
use crate::ids::OrderId;

/// Why an order was not moved.
#[derive(Debug)]
pub enum Unmoved {
    /// There is no such order.
    Missing(OrderId),
    /// The order cannot go there.
    Illegal(Illegal),
}

impl fmt::Display for Unmoved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(id) => write!(f, "there is no order {id}"),
            Self::Illegal(illegal) => illegal.fmt(f),
        }
    }
}

impl Error for Unmoved {}

/// The order, whosever it is and in whatever state.
pub async fn show(desk: &Desk, id: OrderId) -> Result<Record, Box<dyn Error>> {
    let found = desk.read(move |conn| Ok(store::find(conn, id)?)).await.map_err(cli::told)?;
    Ok(found.ok_or(Unmoved::Missing(id))?)
}

/// Moves an order to another state; the order as it is then.
pub async fn move_to(desk: &Desk, id: OrderId, to: OrderState, change: Change) -> Result<Record, Box<dyn Error>> {
    let now = desk.clock.now();
    let moved = desk.write(move |conn| Ok(deed(conn, id, to, &change, now)?)).await.map_err(cli::told)?;
    Ok(moved?)
}

fn deed(
    conn: &mut Conn,
    id: OrderId,
    to: OrderState,
    change: &Change,
    now: Moment,
) -> Result<Result<Record, Unmoved>, Failure> {
    let Some(Record { owner, order }) = store::find(conn, id)? else { return Ok(Err(Unmoved::Missing(id))) };
    let order = match order.moved(to, change.clone(), now) {
        Ok(order) => order,
        Err(illegal) => return Ok(Err(Unmoved::Illegal(illegal))),
    };
    let record = Record { owner, order };
    store::replace(conn, &record)?;
    Ok(Ok(record))
}
