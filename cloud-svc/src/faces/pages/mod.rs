//! Pages for people: the files of a workspace, a file, and a plan to decide about.
//!
//! A page carries out operations of the API under its visitor's grant and shows what they answer, so it has no rule of its own
//! of who may see or change what. What files, comments and plans say is shown as text, whatever is in it.

mod answer;
mod contents;
mod crumbs;
mod discussion;
mod download;
mod file;
mod history;
mod listing;
mod open_plans;
mod paging;
mod phrases;
mod plan;
mod workspace;

use shared_runtime::pages::Pages;

use crate::base::permissions::{APPROVE, PROPOSE, READ, WRITE};

pub fn declare(pages: &mut Pages) {
    pages.stylesheet(include_str!("pages.css"));
    pages.link("/w", "Files");
    pages.asks_for(&[APPROVE, PROPOSE, READ, WRITE]);
    pages.get("/w", "workspace_page", workspace::workspace).takes(&["q", "state", "cursor"]);
    pages
        .get("/f/{file_id}", "file_page", file::file)
        .takes(&["version", "page", "sheet", "comments", "versions", "cursor"]);
    pages.post("/f/{file_id}", "download_page", download::download).takes(&["version"]);
    pages.get("/f/{file_id}/plans/{plan_id}", "plan_page", plan::plan).takes(&["page"]);
    pages
        .post("/f/{file_id}/plans/{plan_id}", "decide_plan_page", plan::act)
        .takes(&["action", "etag", "reason", "note"]);
}
