//! Reading where a market stands.

use shared_model::{Error, code};
use shared_runtime::{Answer, Anyone, Context, Path};

use super::{Market, store};
use crate::events::MarketId;

/// `GET /markets/{market_id}`: the market after its latest event.
pub async fn read(_: Anyone, Path((id,)): Path<(MarketId,)>, context: Context) -> Result<Answer<Market>, Error> {
    let found = context.read(move |conn| Ok(store::find(conn, id)?)).await?;
    Ok(Answer::ok(&found.ok_or_else(code::not_found)?)?)
}
