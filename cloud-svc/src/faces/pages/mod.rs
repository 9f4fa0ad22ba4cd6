//! Pages for people: the files of a workspace, a file, and plans and proposals to decide about.

// A page calls operations of the API with its visitor's grant and shows their answers. So pages have no permission
// rules of their own that could differ from the API. Files, comments and plans are untrusted and shown as text.

// First, because all others use its macros.
#[macro_use]
mod texts;

mod actions;
mod agents;
mod authors;
mod change_file;
mod chosen;
mod comment;
mod comment_forms;
mod compare;
mod contents;
mod convert;
mod convert_form;
mod crumbs;
mod discussion;
mod download;
mod edit;
mod editable;
mod file;
mod found;
mod history;
mod icons;
mod listing;
mod move_file;
mod new_file;
mod new_kind;
mod open_plans;
mod organize;
mod paging;
mod phrases;
mod plan;
// Reachable for the fuzzer of pictures.
pub mod preview;
mod proposal;
mod recent;
mod refused;
mod reviews;
mod search;
mod sort;
mod typed;
mod up_to_date;
mod upload_file;
mod upload_parts;
mod version_forms;
mod webhooks;
mod workspace;

pub use plan::{Excerpt, excerpt};
use shared_runtime::pages::Pages;

use crate::base::{
    limits::REQUEST_BYTES,
    permissions::{APPROVE, PROPOSE, READ, WEBHOOKS, WRITE},
};

/// Rules for the content of files and plans.
pub const STYLE: &str = include_str!("pages.css");

// Of a text that fills a request, each byte may be encoded as three.
const LONG_FORM_BYTES: usize = 3 * REQUEST_BYTES;

pub fn declare(pages: &mut Pages) {
    pages.stylesheet(STYLE);
    pages.link("/w", text!("Files"));
    pages.counted_link("/w/reviews", text!("Reviews"), |visit| Box::pin(reviews::count(visit)));
    pages.asks_for(&[APPROVE, PROPOSE, READ, WEBHOOKS, WRITE]);
    agents::declare(pages);
    webhooks::declare(pages);
    upload_parts::declare(pages);
    preview::declare(pages);
    proposal::declare(pages);
    let lists = &["q", "in", "tag", "type", "since", "state", "cursor", "contents", "sort"];
    pages.get("/w", "workspace_page", workspace::workspace).takes(lists);
    pages.get("/w/new", "new_file_page", new_file::form).takes(&["kind", "in"]);
    pages
        .post("/w/new", "create_file_page", new_file::create)
        .takes(&["kind", "in", "name", "text", new_file::OTHER_KIND])
        .typed(&[("name", text!("Name")), ("text", text!("Text"))])
        .holds(LONG_FORM_BYTES);
    pages.post("/w/upload", "upload_page", upload_file::upload).takes(&["kind", "in"]).takes_file(upload_file::FIELD);
    pages
        .post(chosen::PATH, "chosen_page", chosen::act)
        .takes(&["action", "in", "back"])
        .takes_numbered(chosen::FIELD, chosen::FILES);
    pages.get("/w/reviews", "reviews_page", reviews::reviews).takes(&["cursor"]);
    pages
        .get("/f/{file_id}", "file_page", file::file)
        .takes(&["version", "page", "sheet", "comments", "versions", "cursor", "sort"]);
    pages.get("/f/{file_id}/state", "file_state_page", up_to_date::state).takes(&["plan", "seen"]);
    pages.post("/f/{file_id}", "download_page", download::download).takes(&["version", "format"]);
    pages
        .post("/f/{file_id}/change", "change_file_page", change_file::change)
        .takes(&["action", "etag", "name", "version"])
        .typed(&[("name", text!("Name"))]);
    pages.post("/f/{file_id}/convert", "convert_page", convert::convert);
    pages.get("/f/{file_id}/edit", "edit_page", edit::form).takes(&["sheet", "range"]);
    pages
        .post("/f/{file_id}/edit", "propose_page", edit::propose)
        .takes(&[
            "etag",
            "version",
            "newest",
            edit::of_others::TOLD,
            "title",
            "text",
            "sheet",
            "range",
            edit::cells::BEFORE,
            edit::other_cells::SHOW,
            edit::other_cells::SHEET,
            edit::other_cells::RANGE,
        ])
        .takes_numbered(edit::cells::FIELD, edit::cells::INPUTS)
        .takes_numbered(edit::kept::FIELD, edit::kept::CELLS)
        .typed(&[
            ("title", text!("Title")),
            ("text", text!("Text")),
            (edit::cells::FIELD, text!("Cells")),
            (edit::kept::FIELD, text!("Cells")),
        ])
        .holds(LONG_FORM_BYTES);
    pages.get("/f/{file_id}/compare", "compare_page", compare::compare).takes(&["from", "to", "page"]);
    pages.get("/f/{file_id}/authors", "authors_page", authors::authors).takes(&["version", "cursor"]);
    pages.get("/f/{file_id}/move", "move_page", move_file::choose).takes(&["in", "cursor"]);
    pages
        .post("/f/{file_id}/move", "move_file_page", move_file::act)
        .takes(&["action", "etag", "in", "name"])
        .typed(&[("name", text!("Name of the copy"))]);
    pages
        .post("/f/{file_id}/comments", "comment_page", comment::comment)
        .takes(&["action", "comment", "etag", "text"])
        .typed(&[("text", text!("Your comment"))]);
    pages.get("/f/{file_id}/plans/{plan_id}", "plan_page", plan::plan).takes(&["page"]);
    pages.get("/f/{file_id}/plans/{plan_id}/word", "plan_word_page", plan::word);
    pages.get("/f/{file_id}/plans/{plan_id}/receipts", "plan_receipts_page", plan::receipts);
    pages
        .post("/f/{file_id}/plans/{plan_id}", "decide_plan_page", plan::act)
        .takes(&["action", "etag", "reason", "note"])
        .typed(&[("reason", text!("Your reason")), ("note", text!("Your note"))]);
}
