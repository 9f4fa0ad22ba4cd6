//! Whose catalogue is followed, and how that goes: one row, shared by all replicas.

use std::time::Duration;

use diesel::prelude::*;
use serde::Serialize;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, jobs};

use super::{Catalogue, poll, store};
use crate::schema::catalogue_upstream;

/// How long a snapshot is served after the last good answer of its upstream.
pub const FRESH: Duration = Duration::from_secs(300);

shared_model::text_enum! {
    /// Why an upstream was asked in vain.
    pub enum Trouble {
        /// It could not be connected to.
        Unreachable = "unreachable",
        /// It did not answer, or not to the end, in time.
        TimedOut = "timed_out",
        /// What it sent is no HTTP, or broke off.
        Garbled = "garbled",
        /// It sent us elsewhere. Whoever follows a catalogue says where it is.
        Redirected = "redirected",
        /// It answered with another status than 200 or 304.
        WrongStatus = "wrong_status",
        /// It answered with something else than JSON.
        WrongMediaType = "wrong_media_type",
        /// It answered with more than a catalogue can be.
        TooLarge = "too_large",
        /// It answered with JSON that is no catalogue.
        Invalid = "invalid",
        /// It answered with an older catalogue than before.
        Older = "older",
    }
}

/// A catalogue that is followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Queryable, Insertable, AsChangeset)]
#[diesel(table_name = catalogue_upstream, treat_none_as_null = true)]
pub struct Upstream {
    /// Where it is.
    pub url: String,
    /// Since when.
    pub followed_at: Timestamp,
    /// When the last good answer was asked for.
    pub checked_at: Option<Timestamp>,
    /// The version of the catalogue that it then had.
    pub version: Option<String>,
    /// The tag that it gave it.
    pub etag: Option<String>,
    /// When it was changed, as far as it tells.
    pub modified_at: Option<Timestamp>,
    /// When it was last asked.
    pub tried_at: Option<Timestamp>,
    /// Why that came to nothing.
    pub trouble: Option<Trouble>,
    /// More of it, for the operator.
    pub detail: Option<String>,
    /// When what is served was last known to be good: when it was confirmed, or when the first was followed.
    pub fresh_since: Timestamp,
}

type Columns = (
    catalogue_upstream::url,
    catalogue_upstream::followed_at,
    catalogue_upstream::checked_at,
    catalogue_upstream::version,
    catalogue_upstream::etag,
    catalogue_upstream::modified_at,
    catalogue_upstream::tried_at,
    catalogue_upstream::trouble,
    catalogue_upstream::detail,
    catalogue_upstream::fresh_since,
);

/// The columns of an [`Upstream`], in its order.
const COLUMNS: Columns = (
    catalogue_upstream::url,
    catalogue_upstream::followed_at,
    catalogue_upstream::checked_at,
    catalogue_upstream::version,
    catalogue_upstream::etag,
    catalogue_upstream::modified_at,
    catalogue_upstream::tried_at,
    catalogue_upstream::trouble,
    catalogue_upstream::detail,
    catalogue_upstream::fresh_since,
);

/// The one row.
const ROW: i64 = 1;

impl Upstream {
    /// Until when what is served may be served without another good answer.
    pub fn fresh_until(&self) -> Timestamp {
        self.fresh_since.plus(FRESH)
    }
}

/// What is followed, if anything.
pub fn find(conn: &mut Conn) -> QueryResult<Option<Upstream>> {
    catalogue_upstream::table.find(ROW).select(COLUMNS).first(conn).optional()
}

/// Follows the catalogue at `url` from now on, in place of any other. That makes what is served no fresher than it was.
pub fn follow(conn: &mut Conn, url: &str, now: Timestamp) -> Result<(), Failure> {
    let fresh_since = find(conn)?.map_or(now, |before| before.fresh_since);
    unfollow(conn)?;
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
    diesel::insert_into(catalogue_upstream::table).values((catalogue_upstream::id.eq(ROW), &upstream)).execute(conn)?;
    jobs::ensure(conn, poll::KIND, poll::KEY, "", now)?;
    Ok(())
}

/// Follows nothing any more; whether anything was followed. What is served stays.
pub fn unfollow(conn: &mut Conn) -> QueryResult<bool> {
    Ok(diesel::delete(catalogue_upstream::table.find(ROW)).execute(conn)? > 0)
}

/// Writes down how it went, unless something else is followed by now.
pub fn note(conn: &mut Conn, upstream: &Upstream, catalogue: Option<&Catalogue>) -> Result<(), Failure> {
    let Some(present) = find(conn)? else { return Ok(()) };
    if (&present.url, present.followed_at) != (&upstream.url, upstream.followed_at) {
        return Ok(());
    }
    if let (Some(catalogue), Some(checked_at)) = (catalogue, upstream.checked_at) {
        store::put(conn, catalogue, checked_at)?;
    }
    diesel::update(catalogue_upstream::table.find(ROW)).set(upstream).execute(conn)?;
    Ok(())
}
