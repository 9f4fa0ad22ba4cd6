//! Pages for people: the files of a workspace, a file, and a plan to decide about.

// A page calls operations of the API with its visitor's grant and shows their answers. So pages have no permission
// rules of their own that could differ from the API. Files, comments and plans are untrusted and shown as text.

mod contents;
mod crumbs;
mod discussion;
mod download;
mod file;
mod found;
mod history;
mod listing;
mod open_plans;
mod paging;
mod phrases;
mod plan;
mod reviews;
mod workspace;

use shared_runtime::pages::Pages;

use crate::base::permissions::{APPROVE, PROPOSE, READ, WRITE};

pub fn declare(pages: &mut Pages) {
    pages.stylesheet(include_str!("pages.css"));
    pages.link("/w", "Files");
    pages.asks_for(&[APPROVE, PROPOSE, READ, WRITE]);
    pages.get("/w", "workspace_page", workspace::workspace).takes(&["q", "state", "cursor", "contents"]);
    pages.get("/w/reviews", "reviews_page", reviews::reviews).takes(&["cursor"]);
    pages
        .get("/f/{file_id}", "file_page", file::file)
        .takes(&["version", "page", "sheet", "comments", "versions", "cursor"]);
    pages.post("/f/{file_id}", "download_page", download::download).takes(&["version"]);
    pages.get("/f/{file_id}/plans/{plan_id}", "plan_page", plan::plan).takes(&["page"]);
    pages
        .post("/f/{file_id}/plans/{plan_id}", "decide_plan_page", plan::act)
        .takes(&["action", "etag", "reason", "note"]);
}
