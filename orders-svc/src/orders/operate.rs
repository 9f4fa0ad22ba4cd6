//! `orders-svc order show|move`: shows one order, or moves it to another state.

use std::{error::Error, fmt};

use shared_runtime::{Conn, Context};

use super::{
    order::OrderRecord,
    state::OrderState,
    store,
    transition::{IllegalMove, MoveDetails},
};
use crate::ids::OrderId;

#[derive(Debug)]
pub enum MoveError {
    Missing(OrderId),
    Stale { expected: i64, stored: i64 },
    Illegal(IllegalMove),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(id) => write!(f, "there is no order {id}"),
            Self::Stale { expected, stored } => write!(f, "the order is in version {stored}, not {expected}"),
            Self::Illegal(illegal) => illegal.fmt(f),
        }
    }
}

impl Error for MoveError {}

pub async fn show(context: &Context, id: OrderId) -> Result<OrderRecord, Box<dyn Error>> {
    let found = context.read(move |conn| Ok(store::find(conn, id)?)).await?;
    Ok(found.ok_or(MoveError::Missing(id))?)
}

/// Moves an order to another state and returns its new version. With `expected_version`, only from that version.
pub async fn move_to(
    context: &Context,
    id: OrderId,
    to: OrderState,
    expected_version: Option<i64>,
    change: MoveDetails,
) -> Result<OrderRecord, Box<dyn Error>> {
    let now = context.clock.now();
    let transaction = move |conn: &mut Conn| {
        // Read and replaced in one transaction: of two operators who move an order at once, one is refused.
        let Some(OrderRecord { owner, order }) = store::find(conn, id)? else { return Ok(Err(MoveError::Missing(id))) };
        if let Some(expected) = expected_version.filter(|expected| *expected != order.version) {
            return Ok(Err(MoveError::Stale { expected, stored: order.version }));
        }
        let order = match order.in_state(to, change.clone(), now) {
            Ok(order) => order,
            Err(illegal) => return Ok(Err(MoveError::Illegal(illegal))),
        };
        let record = OrderRecord { owner, order };
        store::replace(conn, &record)?;
        Ok(Ok(record))
    };
    Ok(context.write(transaction).await??)
}
