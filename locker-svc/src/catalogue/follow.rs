//! `locker-svc catalogue follow` and `unfollow`: set which upstream is polled.

use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, jobs};

use super::{poll, store, upstream::Upstream};

/// Follows the catalogue at `url`, in place of any other.
pub fn follow(conn: &mut Conn, url: &str, now: Timestamp) -> Result<(), Failure> {
    // Following again must not make a stale catalogue look fresh.
    let fresh_since = store::find_upstream(conn)?.map_or(now, |before| before.fresh_since);
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
    jobs::ensure(conn, poll::JOB_KIND, poll::JOB_KEY, "", now)?;
    Ok(())
}

/// Stops following. The served catalogue stays. `false` when nothing was followed.
pub fn unfollow(conn: &mut Conn) -> Result<bool, Failure> {
    store::delete_upstream(conn)
}
