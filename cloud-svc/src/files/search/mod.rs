//! `GET /v1/search`: files of the workspace whose names contain a text, newest first.

pub mod store;

use shared_model::{Cursor, Error};
use shared_runtime::{
    Answer, Caller, Context, FromQuery, Params, Query, State,
    http::{contract::QueryParameter, list::Page},
};
use unicode_normalization::UnicodeNormalization as _;

use self::store::Found;
use crate::{
    base::{ids::FileId, links::FileLinks, owner::Owner, permissions::ReadFiles},
    files::{
        details::include::Include,
        file::FileState,
        list::{FileList, Shown, check_place, place, place_parameter, type_parameter},
        store::{Filter, Names, Place},
    },
};
use cloud_content::{file_type::FileType, name_key::name_key};

#[derive(Debug)]
pub struct SearchFiles {
    /// The text that the name keys must contain.
    term: String,
    place: Place,
    kind: Option<FileType>,
    page: Page,
    include: Option<Include>,
}

impl FromQuery for SearchFiles {
    const IS_LIST: bool = true;

    fn describe() -> Vec<QueryParameter> {
        let term = QueryParameter::text(
            "name_contains",
            true,
            "1 to 190 bytes that the name contains. Case, width and composition of characters make no difference.",
        );
        let parent = place_parameter("Only files directly in this folder, or with `root` at the top.");
        let term = term.pattern(r"^[^\x00]{1,190}$").example("min");
        let mut parameters = vec![term, type_parameter(), parent];
        parameters.extend(Page::describe());
        parameters.push(Include::parameter());
        parameters
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let term = term(params);
        let place = place(params);
        let kind = params.one_of("type", FileType::ALL);
        let page = Page::from_query(params);
        let include = Include::from_query(params);
        Some(Self { term: term?, place: place?, kind: kind?, page: page?, include: include? })
    }
}

// A missing parameter is refused by `params` itself.
fn term(params: &mut Params<'_>) -> Option<String> {
    // Names are stored in normalization form C.
    let term: String = params.text("name_contains")?.nfc().collect();
    if term.is_empty() || term.len() > shared_model::name::MAX {
        let rule = format!("must have 1 to {} bytes, has {}", shared_model::name::MAX, term.len());
        return params.refuse("name_contains", rule);
    }
    if term.contains('\0') {
        return params.refuse("name_contains", "must have no NUL");
    }
    Some(name_key(&term))
}

pub async fn search(
    caller: Caller<ReadFiles>,
    Query(asked): Query<SearchFiles>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<FileList>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let SearchFiles { term, place, kind, page, include } = asked;
    let now = context.clock.now();
    let filters = format!("{place} {} {term}", kind.map_or("", FileType::as_str));
    let cursors = Cursor::for_list(&context.secret, "search_files", &owner.workspace().to_string(), &filters);
    let (after, rows) = (page.position::<FileId>(&cursors, now)?, page.rows());
    let filter = Filter { names: Names::Any, place, kind, state: FileState::Active, since: None };
    let found = context.read(move |conn| {
        check_place(conn, owner, place)?;
        Ok(store::search(conn, owner, &term, filter, after, rows)?)
    });
    let Found { files, stopped_at } = found.await?;
    let shown = Shown { context: &context, owner, links: &links, page, include, now };
    Ok(Answer::ok(&shown.list(files, stopped_at, &cursors).await?)?)
}
