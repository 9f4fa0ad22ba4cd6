//! `GET /v1/documents/{file_id}`, `/v1/notes/{file_id}`, …: a file with its content, or with a view of its content.

use crate::files::version_store;
use std::{marker::PhantomData, sync::Arc};

use serde_json::value::to_raw_value;
use shared_model::{Cursor, Error, Failure, NextAction, Problem, Refusal, Secret, Timestamp, code};
use shared_runtime::{
    Answer, Caller, Conn, Context, FromQuery, IfNoneMatch, Params, Path, Query, State, http::contract::QueryParameter,
};

use super::{
    answer::{NativeAnswer, Shown},
    paging::{self, Part},
};
use crate::{
    base::{
        ids::{FileId, VersionId},
        limits::RESPONSE_BYTES,
        links::FileLinks,
        owner::Owner,
        permissions::ReadFiles,
    },
    files::{file::File, store, version_content::StoredContent},
};
use cloud_content::{
    content::Content,
    part_id::PartId,
    view::{self, View},
};

const MIN_BYTES: i64 = 256;

#[derive(Debug)]
pub struct ReadNative<C> {
    view: View,
    block_ids: Vec<PartId>,
    version: Option<VersionId>,
    max_bytes: Option<usize>,
    cursor: Option<String>,
    content: PhantomData<fn() -> C>,
}

impl<C: Content> FromQuery for ReadNative<C> {
    const IS_LIST: bool = C::VIEWS.len() > 1;

    fn describe() -> Vec<QueryParameter> {
        let version =
            QueryParameter::text("version_id", false, "A version other than the current one.").example("ver_1");
        let mut parameters = vec![version];
        if C::VIEWS.len() > 1 {
            let max = i64::try_from(RESPONSE_BYTES).unwrap_or(i64::MAX);
            parameters.extend([
                QueryParameter::one_of("view", C::VIEWS, "The view of the content; `full` when absent."),
                QueryParameter::integer(
                    "max_bytes",
                    MIN_BYTES,
                    max,
                    "Approximate size of a page of the view; `next_cursor` leads to the rest of the same version. Not with \
                     `view=full`.",
                ),
                QueryParameter::cursor(),
            ]);
        }
        if C::has_view(View::Blocks) {
            let ids = "With `view=blocks`: only the blocks with these ids, separated by commas.";
            parameters.push(QueryParameter::text("block_ids", false, ids).example("title,when"));
        }
        parameters
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        // With one view there is no such parameter, so it must stay unknown and be refused.
        let view = if C::VIEWS.len() == 1 { None } else { params.one_of("view", C::VIEWS)? };
        let view = view.unwrap_or(View::Full);
        let version = match params.text("version_id").map(str::parse) {
            Some(Err(rule)) => params.refuse("version_id", rule),
            version => Some(version.and_then(Result::ok)),
        };
        let block_ids = block_ids(params, view);
        let max_bytes = params.integer("max_bytes", MIN_BYTES, i64::try_from(RESPONSE_BYTES).unwrap_or(i64::MAX));
        let cursor = params.text("cursor").map(str::to_owned);
        for (name, is_there) in [("max_bytes", max_bytes.flatten().is_some()), ("cursor", cursor.is_some())] {
            if is_there && view == View::Full {
                params.refuse::<()>(name, "must come with a view other than full, which is not paged");
            }
        }
        let max_bytes = max_bytes?.and_then(|bytes| usize::try_from(bytes).ok());
        Some(Self { view, block_ids: block_ids?, version: version?, max_bytes, cursor, content: PhantomData })
    }
}

fn block_ids(params: &mut Params<'_>, view: View) -> Option<Vec<PartId>> {
    let Some(text) = params.text("block_ids") else { return Some(Vec::new()) };
    match text.split(',').map(str::parse).collect::<Result<Vec<_>, _>>() {
        _ if view != View::Blocks => params.refuse("block_ids", "must come with view=blocks"),
        Ok(ids) => Some(ids),
        Err(_) => params.refuse("block_ids", "must be ids of blocks, separated by commas"),
    }
}

// A file in the trash can still be read.
pub async fn read<C: Content>(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    Query(asked): Query<ReadNative<C>>,
    if_none_match: IfNoneMatch,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<NativeAnswer<C>>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let now = context.clock.now();
    let paging = Paging::of(&context, owner, id, &asked);
    let start = paging.start(asked.cursor.as_deref(), now)?;
    if start.version.is_some() && asked.version.is_some_and(|version| start.version != Some(version)) {
        return Err(code::INVALID_CURSOR.because("The cursor belongs to another version than version_id.").into());
    }
    let version = start.version.or(asked.version);
    let own = Arc::clone(&links);
    let (file, stored) = context.look_up(move |conn| find::<C>(conn, owner, id, version, &own)).await?;
    let shown_version = version.or(file.current_version_id);
    let file = links.record(file);
    // The etag stands for the current version only.
    if version.is_none() && if_none_match.has(file.etag) {
        return Ok(Answer::not_modified(file.etag));
    }
    if asked.view == View::Full {
        return Ok(NativeAnswer::whole(&file, &stored, version)?);
    }
    let content: C = serde_json::from_str(&stored.content).map_err(Failure::from)?;
    let (shown, next) = show(&content, &asked, start.offset)?;
    let next_cursor = next.zip(shown_version).map(|(offset, version)| paging.cursor(version, offset, now));
    Ok(NativeAnswer::view(&file, &stored, shown_version, &shown, next_cursor)?)
}

/// The owner's file of this type, with the content of a version.
fn find<C: Content>(
    conn: &mut Conn,
    owner: Owner,
    id: FileId,
    version: Option<VersionId>,
    links: &FileLinks,
) -> Result<(File, StoredContent), Error> {
    let Some(version) = version else {
        return store::content_of_type(conn, owner, id, C::TYPE, links);
    };
    let file = store::of_type(conn, owner, id, C::TYPE, links)?;
    let (_, stored) = version_store::find(conn, id, version)?.ok_or_else(no_such_version)?;
    Ok((file, stored))
}

fn no_such_version() -> Refusal {
    let problem = Problem { at: "version_id".to_owned(), rule: "must be a version of the file".to_owned() };
    code::not_found()
        .because("The file has no such version.")
        .next(NextAction::CorrectRequest { problems: vec![problem] })
}

/// The page of the view that begins at `offset`, and where the next page begins.
fn show<C: Content>(content: &C, asked: &ReadNative<C>, offset: usize) -> Result<(Shown, Option<usize>), Error> {
    let max = asked.max_bytes;
    Ok(match asked.view {
        View::Markdown => {
            let whole = content.marked_down();
            let Part { part, next } = paging::text(&whole, offset, max);
            (Shown::Markdown(to_raw_value(part).map_err(Failure::from)?), next)
        }
        View::Blocks => {
            let Part { part, next } = paging::items(content.blocks(&asked.block_ids)?, offset, max);
            (Shown::Blocks(part), next)
        }
        View::Outline | View::Full => {
            let Part { part, next } = paging::items(view::raw(&content.outlined())?, offset, max);
            (Shown::Outline(part), next)
        }
    })
}

// A cursor names the version of the first page, so that all pages show the same content.
struct Paging<'a> {
    secret: &'a Secret,
    owner: Owner,
    filters: String,
}

struct Start {
    version: Option<VersionId>,
    offset: usize,
}

impl<'a> Paging<'a> {
    fn of<C>(context: &'a Context, owner: Owner, id: FileId, asked: &ReadNative<C>) -> Self {
        let ids: Vec<_> = asked.block_ids.iter().map(PartId::as_str).collect();
        Self { secret: &context.secret, owner, filters: format!("{id} {} {}", asked.view.as_str(), ids.join(",")) }
    }

    fn cursors(&self) -> Cursor {
        Cursor::for_list(self.secret, "read_content", &self.owner.workspace().to_string(), &self.filters)
    }

    fn start(&self, cursor: Option<&str>, now: Timestamp) -> Result<Start, Error> {
        let Some(cursor) = cursor else { return Ok(Start { version: None, offset: 0 }) };
        let position = self.cursors().decode(cursor, now).ok();
        let parsed = position.as_deref().and_then(|position| {
            let (version, offset) = position.split_once(' ')?;
            Some(Start { version: Some(version.parse().ok()?), offset: offset.parse().ok()? })
        });
        parsed.ok_or_else(|| code::INVALID_CURSOR.refusal().into())
    }

    fn cursor(&self, version: VersionId, offset: usize, now: Timestamp) -> String {
        self.cursors().encode(&format!("{version} {offset}"), now)
    }
}
