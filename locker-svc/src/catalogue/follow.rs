//! `locker-svc catalogue follow` and `unfollow`: set which upstream is polled.

use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, jobs};

use super::{poll, store, upstream::Upstream};

/// The row to store if `url` is followed from `now` on.
pub fn upstream(conn: &mut Conn, url: &str, now: Timestamp) -> Result<Upstream, Failure> {
    // Following again must not make a stale catalogue look fresh.
    let fresh_since = store::find_upstream(conn)?.map_or(now, |before| before.fresh_since);
    Ok(Upstream {
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
    })
}

/// Follows the catalogue at `url`, in place of any other.
pub fn follow(conn: &mut Conn, url: &str, now: Timestamp) -> Result<(), Failure> {
    let upstream = upstream(conn, url, now)?;
    store::delete_upstream(conn)?;
    store::insert_upstream(conn, &upstream)?;
    if !jobs::ensure(conn, poll::JOB_KIND, poll::JOB_KEY, "", now)? {
        // It may wait for the time of a clock that was ahead.
        jobs::make_due(conn, poll::JOB_KIND, poll::JOB_KEY, now)?;
    }
    Ok(())
}

/// Stops following. The served catalogue stays. `false` when nothing was followed.
pub fn unfollow(conn: &mut Conn) -> Result<bool, Failure> {
    store::delete_upstream(conn)
}
