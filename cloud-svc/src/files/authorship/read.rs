//! `GET /v1/files/{file_id}/authorship`: who wrote which part.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use shared_model::{Cursor, Error, Failure, Refusal, code, refusal::NextStep};
use shared_runtime::{
    Answer, Caller, Conn, Context, FromQuery, Params, Path, Query, State,
    http::{contract::QueryParameter, list::Page},
};
use utoipa::ToSchema;

use super::{
    kept,
    record::AuthorshipRun,
    store::{self, Written},
};
use crate::{
    base::{
        ids::{FileId, VersionId},
        links::FileLinks,
        owner::Owner,
        permissions::ReadFiles,
    },
    files::{self, file::File},
};
use cloud_content::{
    authorship::runs::{Run, Writer},
    content::Content,
    kinds::native_kind,
    of_kind,
};

/// Who wrote which part of a version.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct Authorship {
    pub version_id: VersionId,
    /// In reading order.
    #[schema(max_items = 100)]
    pub items: Vec<AuthorshipRun>,
    /// The cursor of the next page; null on the last page.
    #[schema(required, example = json!(null))]
    pub next_cursor: Option<String>,
    /// Whether a next page exists.
    pub has_more: bool,
    /// Always true: names of sheets and people are not the service's.
    pub content_is_untrusted: bool,
}

/// The version, and the page of its runs.
#[derive(Debug)]
pub struct Wanted {
    version: Option<VersionId>,
    page: Page,
}

impl FromQuery for Wanted {
    const IS_LIST: bool = true;

    fn describe() -> Vec<QueryParameter> {
        let version = QueryParameter::typed::<VersionId>("version", false, "Absent: the current version.");
        [vec![version], Page::describe()].concat()
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let version = match params.text("version").map(str::parse) {
            None => None,
            Some(Ok(version)) => Some(version),
            Some(Err(rule)) => return params.refuse("version", rule),
        };
        Some(Self { version, page: Page::from_query(params)? })
    }
}

pub const NO_SUCH_VERSION: NextStep = NextStep::CorrectOne("version", "must be a version of the file");

pub async fn read(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    Query(Wanted { version, page }): Query<Wanted>,
    State(links): State<FileLinks>,
    context: Context,
) -> Result<Answer<Authorship>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let now = context.clock.now();
    let cursor_of = |version: VersionId| {
        let scope = format!("{id} {version}");
        Cursor::for_list(&context.secret, "get_authorship", &owner.workspace().to_string(), &scope)
    };
    // The cursor names the version: otherwise the next page could be of a newer version.
    let version = match version {
        Some(version) => version,
        None => {
            let file = context.look_up(move |conn| Ok(files::store::find(conn, owner, id)?)).await?;
            let file = file.ok_or_else(code::not_found)?;
            file.current_version_id.ok_or_else(|| no_parts(&file, &links))?
        }
    };
    let cursors = cursor_of(version);
    let start: usize = page.position(&cursors, now)?.unwrap_or(0);
    let rows = usize::try_from(page.rows()).unwrap_or(usize::MAX);
    // On the thread of the database: a workbook may have a million cells, and would delay other requests here.
    let found = context.read(move |conn| {
        let file = files::store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
        if native_kind(file.kind).is_none() {
            return Err(no_parts(&file, &links).into());
        }
        let written = store::find_of(conn, id, version)?.ok_or_else(|| code::not_found().step(NO_SUCH_VERSION))?;
        let runs = of_kind!(file.kind, C => places::<C>(&written, start, rows)?);
        Ok(with_authors(conn, runs.unwrap_or_default())?)
    });
    let (items, has_more) = page.cut(found.await?);
    let next_cursor = has_more.then(|| cursors.encode(&(start + items.len()).to_string(), now));
    Ok(Answer::ok(&Authorship { version_id: version, items, next_cursor, has_more, content_is_untrusted: true })?)
}

/// Some runs: their places and writers.
fn places<C: Content>(written: &Written, start: usize, rows: usize) -> Result<Vec<(String, Writer)>, Failure> {
    let content: C = serde_json::from_str(&written.stored.content)?;
    let runs = kept::runs(&written.kept, &content)?.runs();
    let named = |Run { grid, area, writer }| (content.place_of(grid, &area), writer);
    Ok(runs.into_iter().skip(start).take(rows).map(named).collect())
}

fn with_authors(conn: &mut Conn, runs: Vec<(String, Writer)>) -> Result<Vec<AuthorshipRun>, Failure> {
    let version = |writer: Writer| match writer {
        Writer::Version(number) => Some(VersionId::from_number(number)),
        // Stored runs name their own version by its number when they are read.
        Writer::This | Writer::Unknown => None,
    };
    let versions: BTreeSet<VersionId> = runs.iter().filter_map(|(_, writer)| version(*writer)).collect();
    let made = store::made_by(conn, &versions.into_iter().collect::<Vec<_>>())?;
    let run =
        |(place, writer)| AuthorshipRun::new(place, version(writer).and_then(|version| made.get(&version).cloned()));
    Ok(runs.into_iter().map(run).collect())
}

fn no_parts(file: &File, links: &FileLinks) -> Refusal {
    let message = format!("A file of type {} has no parts that have authors.", file.kind.as_str());
    files::store::not_of_type(file, message, links)
}
