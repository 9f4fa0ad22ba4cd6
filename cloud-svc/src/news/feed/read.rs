//! `GET /v1/changes`: changes after a cursor, in order; with `wait_seconds`, it waits for the next change.

use std::{collections::BTreeMap, time::Duration};

use serde::Serialize;
use shared_model::{Error, Failure};
use shared_runtime::{
    Answer, Caller, Conn, Context, FromQuery, LongPoll, Params, Query, State, http::contract::QueryParameter,
};
use tokio::time::Instant;
use utoipa::ToSchema;

use super::{
    cursor::FeedCursors,
    item::ChangeItem,
    store::{self, Found, Start},
};
use crate::{
    base::{ids::FileId, limits::CHANGE_WAIT_SECONDS, links::FileLinks, owner::Owner, permissions::ReadFiles},
    files::file::File,
    workspace::{changes::ChangeType, followers::Followers},
};

/// A page of the feed.
#[derive(Serialize, ToSchema)]
pub struct ChangeList {
    #[schema(max_items = 100)]
    pub items: Vec<ChangeItem>,
    /// The cursor to continue with. Never null; moves on even if no change had one of the types.
    #[schema(example = "AAAAAGkg…")]
    pub next_cursor: String,
    /// Whether more changes follow already.
    pub has_more: bool,
    /// Always true: names of files do not come from the service.
    pub content_is_untrusted: bool,
}

#[derive(Debug)]
pub struct ReadChanges {
    cursor: Option<String>,
    limit: usize,
    types: Option<Vec<ChangeType>>,
    wait: Duration,
}

const TYPES_PATTERN: &str = r"^[a-z_]+\.[a-z_]+(,[a-z_]+\.[a-z_]+)*$";

impl FromQuery for ReadChanges {
    const IS_LIST: bool = true;

    fn describe() -> Vec<QueryParameter> {
        let cursor = QueryParameter {
            description: "The `next_cursor` of the page before, or the `cursor` of now; absent: the oldest change. \
                          Opaque, valid for 30 days in its workspace.",
            ..QueryParameter::cursor()
        };
        let types = "Only changes of these types, separated by commas.";
        let wait = "How long to wait if there is no change yet.";
        vec![
            cursor,
            QueryParameter::limit(),
            QueryParameter::text("types", false, types).pattern(TYPES_PATTERN).example("file.updated,file.purged"),
            QueryParameter::integer("wait_seconds", 0, wait_max(), wait).example(0),
        ]
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let cursor = params.text("cursor").map(str::to_owned);
        let limit = params.limit();
        let types = types(params);
        let wait = params.integer("wait_seconds", 0, wait_max());
        Some(Self {
            cursor,
            limit: usize::try_from(limit?).ok()?,
            types: types?,
            wait: Duration::from_secs(wait?.map_or(0, i64::unsigned_abs)),
        })
    }
}

fn wait_max() -> i64 {
    CHANGE_WAIT_SECONDS.cast_signed()
}

/// `Some(None)` without the parameter; `None` if a type is unknown.
fn types(params: &mut Params<'_>) -> Option<Option<Vec<ChangeType>>> {
    let Some(text) = params.text("types") else { return Some(None) };
    // More words than types would repeat one: `take` bounds the work for a long parameter.
    let types: Option<Vec<_>> = text.split(',').take(ChangeType::ALL.len() + 1).map(ChangeType::from_word).collect();
    match types {
        Some(types) if types.len() <= ChangeType::ALL.len() => Some(Some(types)),
        _ => {
            let words: Vec<_> = ChangeType::ALL.iter().map(|(word, _)| *word).collect();
            params.refuse("types", format!("must be some of these, separated by commas: {}", words.join(", ")))
        }
    }
}

pub async fn read(
    caller: Caller<ReadFiles>,
    Query(ReadChanges { cursor, limit, types, wait }): Query<ReadChanges>,
    context: Context,
    State(links): State<FileLinks>,
    State(followers): State<Followers>,
    poll: LongPoll,
) -> Result<Answer<ChangeList>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let cursors = FeedCursors::of_workspace(&context, owner.workspace());
    let mut start = match &cursor {
        Some(text) => Start::After(cursors.sequence(text, context.clock.now())?),
        None => Start::Oldest,
    };
    let until = Instant::now() + wait;
    let waiting = if wait.is_zero() { None } else { Some(poll.begin()?) };
    // Before the first query: otherwise a commit between the query and the wait would be missed.
    let mut follower = waiting.as_ref().and_then(|_| followers.follow(owner.workspace()));
    loop {
        let look = Look { owner, start, types: types.clone(), limit };
        let found = context.read(move |conn| Ok(look.at(conn)?)).await?;
        let (found, files) = found.ok_or_else(|| cursors.expired())?;
        let is_over = !found.changes.is_empty() || found.has_more || !context.readiness.is_on();
        // No database connection is held during the wait.
        let has_news = match (&mut follower, &waiting) {
            (Some(follower), Some(waiting)) if !is_over => follower.has_news(until, waiting).await,
            _ => false,
        };
        if !has_news {
            return answer(found, files, &links, &cursors, &context);
        }
        start = Start::After(found.last);
    }
}

type Files = BTreeMap<FileId, File>;

struct Look {
    owner: Owner,
    start: Start,
    types: Option<Vec<ChangeType>>,
    limit: usize,
}

impl Look {
    /// The changes and their files; `None` if changes after the start are no longer kept.
    fn at(&self, conn: &mut Conn) -> Result<Option<(Found, Files)>, Failure> {
        let found = store::look(conn, self.owner, self.start, self.types.as_deref(), self.limit)?;
        let Some(found) = found else { return Ok(None) };
        let files = store::files(conn, self.owner, &found.changes)?;
        Ok(Some((found, files)))
    }
}

fn answer(
    Found { changes, last, has_more }: Found,
    files: Files,
    links: &FileLinks,
    cursors: &FeedCursors,
    context: &Context,
) -> Result<Answer<ChangeList>, Error> {
    let record = |id: &FileId| files.get(id).cloned().map(|file| links.record(file));
    let items = changes.into_iter().map(|change| {
        let file = change.file_id.as_ref().and_then(record);
        ChangeItem::new(change, file)
    });
    let items = items.collect();
    let next_cursor = cursors.after(last, context.clock.now());
    Ok(Answer::ok(&ChangeList { items, next_cursor, has_more, content_is_untrusted: true })?)
}
