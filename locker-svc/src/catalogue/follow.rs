//! `locker-svc catalogue follow` and `unfollow`: which upstream is polled.

use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, jobs};

use super::{poll, store, upstream::Upstream};

/// Follows the catalogue at `url` from now on, in place of any other. What is served becomes no fresher by that.
pub fn follow(conn: &mut Conn, url: &str, now: Timestamp) -> Result<(), Failure> {
    let fresh_since = store::upstream(conn)?.map_or(now, |before| before.fresh_since);
    store::delete_upstream(conn)?;
    let upstream = Upstream {
        url: url.to_owned(),
        followed_at: now,
        checked_at: None,
        version: None,
        etag: None,
        modified_at: None,
        tried_at: None,
        trouble: None,
        detail: None,
        fresh_since,
    };
    store::insert_upstream(conn, &upstream)?;
    jobs::ensure(conn, poll::KIND, poll::KEY, "", now)?;
    Ok(())
}

/// Stops following; `false` when nothing was followed. What is served stays.
pub fn unfollow(conn: &mut Conn) -> Result<bool, Failure> {
    store::delete_upstream(conn)
}
