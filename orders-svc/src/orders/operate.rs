//! `orders-svc order show|move`: what an operator does to one order.

use std::{error::Error, fmt};

use shared_runtime::{Conn, Context};

use super::{
    order::OrderRecord,
    state::OrderState,
    store,
    transition::{IllegalMove, MoveDetails},
};
use crate::ids::OrderId;

/// Why an order was not moved.
#[derive(Debug)]
pub enum MoveError {
    /// There is no such order.
    Missing(OrderId),
    /// It is in another version than the operator has seen.
    Stale {
        /// What was seen.
        seen: i64,
        /// What is there.
        recorded: i64,
    },
    /// The order cannot go there.
    Illegal(IllegalMove),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(id) => write!(f, "there is no order {id}"),
            Self::Stale { seen, recorded } => write!(f, "the order is in version {recorded}, not {seen}"),
            Self::Illegal(illegal) => illegal.fmt(f),
        }
    }
}

impl Error for MoveError {}

/// The order, whosever it is and in whatever state.
pub async fn show(context: &Context, id: OrderId) -> Result<OrderRecord, Box<dyn Error>> {
    let found = context.read(move |conn| Ok(store::find(conn, id)?)).await?;
    Ok(found.ok_or(MoveError::Missing(id))?)
}

/// Moves an order to another state, if it is in the version `seen`, where one is given; the order as it is then.
pub async fn move_to(
    context: &Context,
    id: OrderId,
    to: OrderState,
    seen: Option<i64>,
    change: MoveDetails,
) -> Result<OrderRecord, Box<dyn Error>> {
    let now = context.clock.now();
    let transaction = move |conn: &mut Conn| {
        let Some(OrderRecord { owner, order }) = store::find(conn, id)? else { return Ok(Err(MoveError::Missing(id))) };
        if let Some(seen) = seen.filter(|seen| *seen != order.version) {
            return Ok(Err(MoveError::Stale { seen, recorded: order.version }));
        }
        let order = match order.moved(to, change.clone(), now) {
            Ok(order) => order,
            Err(illegal) => return Ok(Err(MoveError::Illegal(illegal))),
        };
        let record = OrderRecord { owner, order };
        store::replace(conn, &record)?;
        Ok(Ok(record))
    };
    Ok(context.write(transaction).await??)
}
