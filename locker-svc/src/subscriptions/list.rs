//! `GET /api/v1/billing/subscriptions`: the caller's subscriptions, newest first.

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

pub async fn list(
    caller: Caller<ReadBilling>,
    Query(page): Query<Page>,
    context: Context,
) -> Result<Answer<Entries<Subscription>>, Error> {
    let now = context.clock.now();
    // A cursor is bound to this list and owner: another owner's cursor is refused instead of skipping rows.
    let cursors = Cursor::for_list(&context.secret, "list_subscriptions", &caller.subject, "");
    let (owner, after, rows) = (caller.subject.clone(), page.start(&cursors, now)?, page.rows());
    let found = context.read(move |conn| Ok(store::list_owned(conn, &owner, after, rows)?)).await?;
    let position = |last: &Subscription| Some(Position::after(last.created_at, last.id));
    Ok(page.answer(found, position, &cursors, now)?)
}
