//! `GET /api/v1/billing/subscriptions`: the subscriptions of the token's subject, newest first.

use shared_model::{Cursor, Error};
use shared_runtime::{
    Answer, Caller, Context, Permission, Query,
    http::list::{Entries, Page, Position},
};

use super::{store, subscription::Subscription};

/// `locker.billing.read`.
pub struct ReadBilling;

impl Permission for ReadBilling {
    const SCOPE: &'static str = "locker.billing.read";
}

/// One page, and the cursor of the next while there is more.
pub async fn list(
    caller: Caller<ReadBilling>,
    Query(page): Query<Page>,
    context: Context,
) -> Result<Answer<Entries<Subscription>>, Error> {
    let now = context.clock.now();
    let cursors = Cursor::of(&context.secret, "list_subscriptions", &caller.subject, "");
    let (owner, after, rows) = (caller.subject.clone(), page.start(&cursors, now)?, page.rows());
    let found = context.read(move |conn| Ok(store::list_owned(conn, &owner, after, rows)?)).await?;
    let position = |last: &Subscription| Some(Position::after(last.created_at, last.id));
    Ok(page.answer(found, position, &cursors, now)?)
}
