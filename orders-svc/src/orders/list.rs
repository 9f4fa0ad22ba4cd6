//! `GET /wp-json/service-net/v1/orders`: the orders that the owner has placed, newest first.

use shared_model::{Cursor, InvalidCursor, NextAction, Problem};
use shared_runtime::{Answer, Caller, Desk, FromQuery, Halt, Params, Query, Refusal, arguments::QueryDoc, code};

use super::{
    Order,
    store::{self, Position},
};
use crate::{ordering, permissions::ReadOrders};

/// Which part of the list is wanted.
pub struct Page {
    limit: i64,
    cursor: Option<String>,
}

impl FromQuery for Page {
    fn describe() -> Vec<QueryDoc> {
        vec![QueryDoc::limit(), QueryDoc::cursor()]
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let cursor = params.text("cursor").map(str::to_owned);
        Some(Self { limit: params.limit()?, cursor })
    }
}

/// One page, and the cursor of the next while there is more. Drafts are in no list.
pub async fn list(
    caller: Caller<ReadOrders>,
    Query(page): Query<Page>,
    desk: Desk,
) -> Result<Answer<Vec<Order>>, Halt> {
    let now = desk.clock.now();
    let cursors = Cursor::of(&desk.secret, "list_orders", &caller.subject, "");
    let after = match &page.cursor {
        None => Position::START,
        Some(text) => cursors.open(text, now).and_then(|text| text.parse()).map_err(invalid_cursor)?,
    };
    let (owner, limit) = (caller.subject.clone(), page.limit);
    let found = desk.read(move |conn| {
        ordering::must_be_open(conn)?;
        Ok(store::list_placed(conn, &owner, after, limit + 1)?)
    });
    let mut found = found.await?;
    let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = found.len() > wanted;
    found.truncate(wanted);
    let last = found.last().filter(|_| has_more);
    let next = last.and_then(Position::of).map(|last| cursors.seal(&last.to_string(), now));
    Ok(Answer::ok(&found)?.page(next))
}

fn invalid_cursor(_: InvalidCursor) -> Refusal {
    let problem = Problem { at: "cursor".to_owned(), rule: "must be the next_cursor of this list".to_owned() };
    code::INVALID_CURSOR.refusal().next(NextAction::CorrectRequest { problems: vec![problem] })
}
