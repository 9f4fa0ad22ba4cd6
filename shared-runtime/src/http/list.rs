//! Lists, page by page, newest first. Rows are ordered by a key that never changes: an instant, then an id.

use std::{fmt, str::FromStr};

use serde::Serialize;
use shared_model::{Cursor, Failure, InvalidCursor, Refusal, Timestamp, code, limits, rule::Array};

use super::{
    arguments::query::{FromQuery, Params},
    contract::QueryParameter,
    reply::Answer,
};

pub type Entries<T> = Array<T, 0, { limits::LIST_MAX as usize }>;

/// The `limit` and `cursor` of a request.
#[derive(Clone, Debug)]
pub struct Page {
    limit: i64,
    cursor: Option<String>,
}

impl FromQuery for Page {
    const IS_LIST: bool = true;

    fn describe() -> Vec<QueryParameter> {
        vec![QueryParameter::limit(), QueryParameter::cursor()]
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let cursor = params.text("cursor").map(str::to_owned);
        Some(Self { limit: params.limit()?, cursor })
    }
}

/// A place in a list. The entries after it are older, or of the same instant with a smaller id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<Id> {
    pub at: Timestamp,
    /// `None` before the newest entry.
    pub id: Option<Id>,
}

impl<Id> Position<Id> {
    pub const START: Self = Self { at: Timestamp::from_micros(i64::MAX), id: None };

    /// Right after this entry.
    pub fn after(at: Timestamp, id: Id) -> Self {
        Self { at, id: Some(id) }
    }
}

impl<Id: fmt::Display> fmt::Display for Position<Id> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.at.micros())?;
        self.id.as_ref().map_or(Ok(()), |id| id.fmt(f))
    }
}

impl<Id: FromStr> FromStr for Position<Id> {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let (micros, id) = text.split_once(' ').ok_or(InvalidCursor)?;
        let at = Timestamp::from_micros(micros.parse().map_err(|_| InvalidCursor)?);
        Ok(Self::after(at, id.parse().map_err(|_| InvalidCursor)?))
    }
}

impl Page {
    /// Where the page begins; `None`: at the beginning. 400 `invalid_cursor` for malformed and expired cursors.
    // Cursors are signed and bound to owner and filters: a client cannot use one to look at another list.
    pub fn position<P: FromStr>(&self, cursors: &Cursor, now: Timestamp) -> Result<Option<P>, Refusal> {
        let decode = |text: &String| cursors.decode(text, now)?.parse().map_err(|_| InvalidCursor);
        let position = self.cursor.as_ref().map(decode).transpose();
        position.map_err(|InvalidCursor| code::INVALID_CURSOR.refusal())
    }

    /// The page, and whether there are more rows; `found` has at most [`Self::rows`].
    pub fn cut<T>(&self, mut found: Vec<T>) -> (Vec<T>, bool) {
        let wanted = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let has_more = found.len() > wanted;
        found.truncate(wanted);
        (found, has_more)
    }

    /// Where the page begins, for lists by [`Position`].
    pub fn start<Id: FromStr>(&self, cursors: &Cursor, now: Timestamp) -> Result<Position<Id>, Refusal> {
        Ok(self.position(cursors, now)?.unwrap_or(Position::START))
    }

    /// How many rows to query.
    pub fn rows(&self) -> i64 {
        // One more than shown tells whether there is another page, without a count of the whole list.
        self.limit + 1
    }

    /// The page, and the cursor of the next one, if any.
    pub fn answer<T: Serialize, Id: fmt::Display>(
        &self,
        found: Vec<T>,
        position: impl Fn(&T) -> Option<Position<Id>>,
        cursors: &Cursor,
        now: Timestamp,
    ) -> Result<Answer<Entries<T>>, Failure> {
        let (found, has_more) = self.cut(found);
        let last = found.last().filter(|_| has_more).and_then(position);
        let next = last.map(|last| cursors.encode(&last.to_string(), now));
        Ok(Answer::from_json(serde_json::to_string(&found)?).page(next))
    }
}
