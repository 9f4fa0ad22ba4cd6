//! `GET /v1/content-search`: files of the workspace by the words in their names, contents and comments.

use serde::{Deserialize, Serialize};
use shared_model::{Cursor, Error, Timestamp};
use shared_runtime::{
    Answer, Caller, Context, FromQuery, Params, Query, State,
    http::{contract::QueryParameter, list::Page},
};
use unicode_normalization::UnicodeNormalization as _;
use utoipa::ToSchema;

use super::{
    entry::Findable,
    run::{self, Hit, Hits},
};
use crate::{
    base::{links::FileLinks, owner::Owner, permissions::ReadFiles},
    files::{
        file::FileRecord,
        list::{check_place, place, place_parameter, type_parameter},
        store::Place,
    },
};
use cloud_content::{
    file_type::FileType,
    search::{
        excerpt::Match,
        query::{self, SearchQuery},
    },
};

/// The most bytes of a tag.
const TAG_BYTES: usize = 40;

#[derive(Debug)]
pub struct SearchContent {
    query: SearchQuery,
    /// As it was sent, to bind cursors to it.
    asked: String,
    place: Place,
    kind: Option<FileType>,
    since: Option<Timestamp>,
    page: Page,
}

/// Found files.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct ContentList {
    /// First files in which all words are whole words, then those in which some are parts of words. Newest first in both.
    #[schema(max_items = 100)]
    pub items: Vec<FoundFile>,
    /// The cursor of the next page; null on the last page.
    #[schema(required, example = json!(null))]
    pub next_cursor: Option<String>,
    /// Whether there may be more. A search that compared many long files stops early: then a page has fewer items than
    /// `limit`, perhaps none.
    pub has_more: bool,
    /// Always true: names and excerpts do not come from the service.
    pub content_is_untrusted: bool,
}

/// A file, and where it says what was searched.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct FoundFile {
    pub file: FileRecord,
    #[schema(max_items = 3)]
    pub matches: Vec<Match>,
}

impl FromQuery for SearchContent {
    const IS_LIST: bool = true;

    fn describe() -> Vec<QueryParameter> {
        let text = "Words, parts of words from 3 letters (2 in Chinese, Japanese and Korean), and phrases in quotation marks. \
                    All must be found. Shorter words are found as whole words.";
        let parent = "Only files in this folder or below it; `root` is the whole workspace.";
        let mut parameters = vec![
            QueryParameter::text("text", false, text).pattern(r"^[^\x00]{1,400}$").example("budget"),
            QueryParameter::text("tag", false, "A tag of notes, exactly. `text` or `tag` must be present.")
                .pattern(r"^[^\x00]{1,40}$")
                .example("board"),
            type_parameter(),
            place_parameter(parent),
            QueryParameter::typed::<Timestamp>(
                "changed_since",
                false,
                "Only files whose record or content changed then or later.",
            ),
        ];
        parameters.extend(Page::describe());
        parameters
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let terms = params.text("text").map(str::to_owned);
        let tag = params.text("tag").map(str::to_owned);
        if terms.is_none() && tag.is_none() {
            return params.refuse("text", "must be present, unless tag is");
        }
        let asked = format!("{terms:?} {tag:?}");
        let read = |text: &str| {
            if text.contains('\0') { Err("must have no NUL".to_owned()) } else { query::terms(text) }
        };
        let terms = match terms.as_deref().map(read) {
            None => Some(Vec::new()),
            Some(Ok(terms)) => Some(terms),
            Some(Err(rule)) => params.refuse("text", rule),
        };
        let tag = tag_of(tag, params);
        let place = place(params);
        let kind = params.one_of("type", FileType::ALL);
        let since = since(params);
        let page = Page::from_query(params);
        let query = SearchQuery { terms: terms?, tag: tag? };
        Some(Self { query, asked, place: place?, kind: kind?, since: since?, page: page? })
    }
}

/// The tag as it is stored, in normalization form C.
fn tag_of(tag: Option<String>, params: &mut Params<'_>) -> Option<Option<String>> {
    let Some(tag) = tag else { return Some(None) };
    let tag: String = tag.nfc().collect();
    match shared_model::text::check_line(&tag, TAG_BYTES) {
        Ok(()) if tag.is_empty() => params.refuse("tag", format!("must have 1 to {TAG_BYTES} bytes, has 0")),
        Ok(()) => Some(Some(tag)),
        Err(rule) => params.refuse("tag", rule),
    }
}

fn since(params: &mut Params<'_>) -> Option<Option<Timestamp>> {
    let Some(text) = params.text("changed_since") else { return Some(None) };
    match Timestamp::parse(text) {
        Some(since) => Some(Some(since)),
        None => params.refuse("changed_since", "must be a time in UTC such as 2026-11-24T12:00:00Z"),
    }
}

pub async fn search(
    caller: Caller<ReadFiles>,
    Query(asked): Query<SearchContent>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<ContentList>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let SearchContent { query, asked, place, kind, since, page } = asked;
    let now = context.clock.now();
    let since_text = since.map(|since| since.to_string()).unwrap_or_default();
    let filters = format!("{place} {} {since_text} {asked}", kind.map_or("", FileType::as_str));
    let cursors = Cursor::for_list(&context.secret, "search_content", &owner.workspace().to_string(), &filters);
    let after = page.position::<run::Place>(&cursors, now)?.unwrap_or(run::START);
    let below = if let Place::In(folder) = place { Some(folder) } else { None };
    let findable = Findable { kind, since, below };
    let wanted = usize::try_from(page.rows()).unwrap_or(usize::MAX);
    // A file that is rewritten between two statements would be in neither.
    let found = context.read_snapshot(move |conn| {
        check_place(conn, owner, place)?;
        Ok(run::run(conn, owner, (&query, &findable), after, wanted)?)
    });
    let Hits { hits, stopped_at } = found.await?;
    let (hits, is_cut) = page.cut(hits);
    let last = if is_cut { hits.last().map(|hit| hit.place) } else { stopped_at };
    let next_cursor = last.map(|place| cursors.encode(&place.to_string(), now));
    let item = |Hit { file, matches, .. }| FoundFile { file: links.record(file), matches };
    let (items, has_more) = (hits.into_iter().map(item).collect(), next_cursor.is_some());
    Ok(Answer::ok(&ContentList { items, next_cursor, has_more, content_is_untrusted: true })?)
}
