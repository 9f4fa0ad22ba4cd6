//! Reading where a market stands.

use shared_runtime::{Answer, Anyone, Desk, Halt, Path, Refusal};

use super::{MarketId, store, view::MarketView};

/// `GET /markets/{market_id}`: the market after its latest event.
pub async fn read(_: Anyone, Path((id,)): Path<(MarketId,)>, desk: Desk) -> Result<Answer<MarketView>, Halt> {
    let found = desk.read(move |conn| Ok(store::find(conn, id)?)).await?;
    Ok(Answer::ok(&found.ok_or_else(Refusal::not_found)?.into())?)
}
