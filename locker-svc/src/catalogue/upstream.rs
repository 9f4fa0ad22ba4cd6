//! The upstream that is followed: one row, shared by all replicas.

use std::time::Duration;

use diesel::prelude::*;
use serde::Serialize;
use shared_model::Timestamp;

use crate::schema::catalogue_upstream;

/// How long a snapshot is served after its upstream was last confirmed.
pub const FRESH: Duration = Duration::from_secs(300);

shared_model::text_enum! {
    /// Why a request to an upstream gave no catalogue.
    pub enum FetchErrorKind {
        /// No connection.
        Unreachable = "unreachable",
        /// No answer in time, or not to its end.
        TimedOut = "timed_out",
        /// The answer is not HTTP, or broke off.
        Garbled = "garbled",
        /// A redirect; none is followed.
        Redirected = "redirected",
        /// Another status than 200 or 304.
        WrongStatus = "wrong_status",
        /// Another media type than JSON.
        WrongMediaType = "wrong_media_type",
        /// More bytes than a catalogue can have.
        TooLarge = "too_large",
        /// JSON that is not a catalogue.
        Invalid = "invalid",
        /// An older catalogue than before.
        Older = "older",
    }
}

/// A row of `catalogue_upstream`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = catalogue_upstream, treat_none_as_null = true)]
pub struct Upstream {
    /// The URL that is polled.
    pub url: String,
    /// Since when.
    pub followed_at: Timestamp,
    /// When the last good answer was asked for.
    pub checked_at: Option<Timestamp>,
    /// The version of the catalogue in that answer.
    pub version: Option<String>,
    /// The `ETag` of that answer.
    pub etag: Option<String>,
    /// The `Last-Modified` of that answer.
    pub modified_at: Option<Timestamp>,
    /// When it was last polled.
    pub tried_at: Option<Timestamp>,
    /// Why that poll failed, if it did.
    pub trouble: Option<FetchErrorKind>,
    /// The details of that failure, for the operator.
    pub detail: Option<String>,
    /// When what is served was last known to be good: when it was confirmed, or when the first upstream was followed.
    pub fresh_since: Timestamp,
}

impl Upstream {
    /// Until when the served snapshot may be served without another good answer.
    pub fn fresh_until(&self) -> Timestamp {
        self.fresh_since.plus(FRESH)
    }
}
