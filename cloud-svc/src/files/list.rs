//! `GET /v1/files`: the files of a folder, of the top, or of the whole workspace, newest first.

use serde::{Deserialize, Serialize};
use shared_model::{Cursor, Error, Timestamp, code, refusal::NextStep};
use shared_runtime::{
    Answer, Caller, Conn, Context, FromQuery, Params, Query, State,
    http::{contract::QueryParameter, list::Page},
};
use utoipa::ToSchema;

use super::{
    details::{
        include::{self, Include},
        record::{Details, DetailsById},
    },
    file::{File, FileRecord, FileState},
    oldest_of_page::oldest_of_page,
    store::{self, Filter, Names, Place},
};
use crate::base::{ids::FileId, links::FileLinks, owner::Owner, parent::Parent, permissions::ReadFiles};
use cloud_content::file_type::FileType;

#[derive(Serialize, Deserialize, ToSchema)]
pub struct FileList {
    /// Newest first.
    #[schema(max_items = 100)]
    pub items: Vec<FileRecord>,
    /// The cursor of the next page; null on the last page.
    #[schema(required, example = json!(null))]
    pub next_cursor: Option<String>,
    /// Whether a next page exists.
    pub has_more: bool,
    /// Always true: names do not come from the service.
    pub content_is_untrusted: bool,
    /// With `include=details`: the details of each file, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = HashMap<String, Details>)]
    pub details: Option<DetailsById>,
}

/// What a list needs to show its rows.
pub struct Shown<'a> {
    pub context: &'a Context,
    pub owner: Owner,
    pub links: &'a FileLinks,
    pub page: Page,
    pub include: Option<Include>,
    pub now: Timestamp,
}

impl Shown<'_> {
    // `found` has one file more than the page shows if a next page exists. A search may also have stopped before.
    pub async fn list(self, found: Vec<File>, stopped_at: Option<FileId>, cursors: &Cursor) -> Result<FileList, Error> {
        let Self { context, owner, links, page, include, now } = self;
        let (found, is_cut) = page.cut(found);
        let last = if is_cut { found.last().map(|file| file.id) } else { stopped_at };
        let next_cursor = last.map(|id| cursors.encode(&id.to_string(), now));
        let has_more = next_cursor.is_some();
        let details = include::of_page(context, owner, include, found.clone(), now).await?;
        let items = found.into_iter().map(|file| links.record(file)).collect();
        Ok(FileList { items, next_cursor, has_more, content_is_untrusted: true, details })
    }
}

#[derive(Debug)]
pub struct ListFiles {
    place: Place,
    kind: Option<FileType>,
    state: FileState,
    page: Page,
    include: Option<Include>,
}

impl FromQuery for ListFiles {
    const IS_LIST: bool = true;

    fn describe() -> Vec<QueryParameter> {
        let mut parameters = vec![
            place_parameter("The folder, or `root` for the top; absent: the whole workspace."),
            type_parameter(),
            QueryParameter::one_of("state", FileState::ALL, "`trashed` for files in the trash; `active` when absent."),
        ];
        parameters.extend(Page::describe());
        parameters.push(Include::parameter());
        parameters
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let place = place(params);
        let kind = params.one_of("type", FileType::ALL);
        let state = params.one_of("state", FileState::ALL);
        let page = Page::from_query(params);
        let include = Include::from_query(params);
        let state = state?.unwrap_or(FileState::Active);
        Some(Self { place: place?, kind: kind?, state, page: page?, include: include? })
    }
}

pub fn type_parameter() -> QueryParameter {
    QueryParameter::one_of("type", FileType::ALL, "Only files of this type.")
}

pub fn place(params: &mut Params<'_>) -> Option<Place> {
    let Some(text) = params.text("parent_id") else { return Some(Place::Anywhere) };
    match Parent::parse(text) {
        Ok(Parent::Root) => Some(Place::Root),
        Ok(Parent::Folder(folder)) => Some(Place::In(folder)),
        Err(rule) => params.refuse("parent_id", rule),
    }
}

pub fn place_parameter(text: &'static str) -> QueryParameter {
    QueryParameter::text("parent_id", false, text).pattern(Parent::PATTERN).example("root")
}

pub const NO_SUCH_FOLDER: NextStep = NextStep::CorrectOne("parent_id", "must be a folder that you can see");

/// 404 unless `place` is a folder of the owner, the top, or the whole workspace.
pub fn check_place(conn: &mut Conn, owner: Owner, place: Place) -> Result<(), Error> {
    let Place::In(folder) = place else { return Ok(()) };
    match store::find(conn, owner, folder)? {
        Some(file) if file.kind == FileType::Folder => Ok(()),
        _ => Err(code::not_found().step(NO_SUCH_FOLDER).into()),
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Anywhere => f.write_str("anywhere"),
            Self::Root => f.write_str("root"),
            Self::In(folder) => folder.fmt(f),
        }
    }
}

// Files inside a trashed folder are hidden.
pub async fn list(
    caller: Caller<ReadFiles>,
    Query(asked): Query<ListFiles>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<FileList>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let ListFiles { place, kind, state, page, include } = asked;
    let now = context.clock.now();
    let filters = format!("{place} {} {}", kind.map_or("", FileType::as_str), state.as_str());
    let cursors = Cursor::for_list(&context.secret, "list_files", &owner.workspace().to_string(), &filters);
    let (after, rows) = (page.position::<FileId>(&cursors, now)?, page.rows());
    let found = context.read(move |conn| {
        check_place(conn, owner, place)?;
        let filter = Filter { names: Names::Any, place, kind, state, since: None };
        let since = oldest_of_page(conn, owner, filter, after)?;
        Ok((store::list(conn, owner, Filter { since, ..filter }, after, rows)?, since))
    });
    let (found, stopped_at) = found.await?;
    let shown = Shown { context: &context, owner, links: &links, page, include, now };
    Ok(Answer::ok(&shown.list(found, stopped_at, &cursors).await?)?)
}
