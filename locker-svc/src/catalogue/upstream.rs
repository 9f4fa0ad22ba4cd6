//! The followed upstream: one row, shared by all replicas.

use std::time::Duration;

use diesel::prelude::*;
use serde::Serialize;
use shared_model::Timestamp;

use crate::tables::catalogue_upstream;

/// How long a snapshot is served after its upstream last confirmed it: ten polls.
pub const FRESHNESS_LIMIT: Duration = Duration::from_secs(300);
/// How far the clocks of two replicas may differ.
const CLOCK_DIFFERENCE: Duration = Duration::from_secs(60);

shared_model::text_enum! {
    /// Why a request to an upstream returned no catalogue.
    pub enum FetchErrorKind {
        Unreachable = "unreachable",
        /// No complete answer in time.
        TimedOut = "timed_out",
        /// The answer is not HTTP, or was cut off.
        Garbled = "garbled",
        /// A redirect. Redirects are not followed.
        Redirected = "redirected",
        WrongStatus = "wrong_status",
        WrongMediaType = "wrong_media_type",
        TooLarge = "too_large",
        Invalid = "invalid",
        /// An older catalogue than the one before.
        Older = "older",
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = catalogue_upstream, treat_none_as_null = true)]
pub struct Upstream {
    pub url: String,
    pub followed_at: Timestamp,
    /// When the last successful request was sent.
    pub checked_at: Option<Timestamp>,
    pub version: Option<String>,
    pub etag: Option<String>,
    /// The `Last-Modified` of its answer, or of an earlier one.
    pub modified_at: Option<Timestamp>,
    pub tried_at: Option<Timestamp>,
    /// Why the last poll failed, if it did.
    pub trouble: Option<FetchErrorKind>,
    pub detail: Option<String>,
    /// When the served catalogue was last confirmed, or when the first upstream was followed.
    pub fresh_since: Timestamp,
}

impl Upstream {
    /// Whether the snapshot may be served without another confirmation.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        // A clock that was ahead may have confirmed it, and then nobody knows when that was.
        self.fresh_since <= now.plus(CLOCK_DIFFERENCE) && now <= self.fresh_since.plus(FRESHNESS_LIMIT)
    }
}
