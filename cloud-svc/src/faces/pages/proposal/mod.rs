//! `/w/proposals`: the proposals over several files, and the page of each, for people who decide about it.

mod act;
mod facts;
mod forms;
pub mod list;
mod plans;
mod show;
mod shown_proposal;

use shared_runtime::pages::Pages;

const PATH: &str = "/w/proposals/{proposal_id}";

pub fn declare(pages: &mut Pages) {
    pages.get(list::PATH, "proposals_page", list::proposals).takes(&["cursor"]);
    pages.get(PATH, "proposal_page", show::proposal);
    pages
        .post(PATH, "decide_proposal_page", act::act)
        .takes(&["action", forms::SEEN, "reason", "note"])
        .typed(&[("reason", text!("Your reason")), ("note", text!("Your note"))]);
}
