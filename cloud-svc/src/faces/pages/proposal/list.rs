//! `GET /w/proposals`: the proposals of the workspace.

use std::collections::HashSet;

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, SignedIn};

use super::shown_proposal::state_mark;
use crate::{
    base::ids::ProposalId,
    edits::proposals::{
        list::{ListedProposal, ProposalList},
        proposal::OPEN,
    },
    faces::pages::phrases::{actor, address, name, proposal_href, time, untrusted},
};

pub const PATH: &str = "/w/proposals";

const ROWS: usize = 20;

/// An empty `state` is any.
async fn list(visit: &SignedIn, state: &str, cursor: &str) -> Result<ProposalList, Error> {
    let list = visit.operation("list_proposals").query("state", state).query("limit", ROWS.to_string());
    list.query("cursor", cursor).answer().await
}

pub async fn proposals(visit: SignedIn) -> Result<Page, Error> {
    let list = list(&visit, "", visit.value("cursor").unwrap_or_default()).await?;
    Ok(Page::new(
        text!("Proposals"),
        html! {
            p { a href="/w" { (text!("All files")) } }
            @if list.items.is_empty() {
                p { (text!("Nobody has made a proposal over several files yet.")) }
            } @else {
                (rows(&visit, &list.items))
            }
            @if let Some(cursor) = &list.next_cursor {
                nav.pages aria-label=(text!("Pages of the list")) {
                    a rel="next" href=(address(PATH, &[("cursor", cursor)])) { (text!("Next page")) }
                }
            }
        },
    ))
}

#[derive(Default)]
pub struct OpenProposals {
    /// Those that wait for the visitor.
    pub waiting: Markup,
    /// The others, and a link to all.
    pub others: Markup,
    /// Which stand in `waiting`.
    pub listed: HashSet<ProposalId>,
}

/// The open proposals. `waiting` names those that wait for the visitor.
// Authors need the list too: otherwise only the pages of its files link to an approved proposal.
pub async fn open(visit: &SignedIn, waiting: &HashSet<ProposalId>) -> Result<OpenProposals, Error> {
    let now = visit.context.clock.now();
    let mut items = Vec::new();
    // The approved ones come first: they only have to be applied.
    for state in OPEN.iter().rev() {
        let list = list(visit, state.as_str(), "").await?;
        // As in lists of plans, expired proposals of agents would hide the others.
        items.extend(list.items.into_iter().filter(|item| now < item.expires_at));
    }
    let (first, mut others): (Vec<_>, Vec<_>) = items.into_iter().partition(|item| waiting.contains(&item.id));
    others.truncate(ROWS);
    let waiting = html! {
        @if !first.is_empty() {
            section.plans aria-labelledby="waiting" {
                h2 #waiting { (text!("Proposals")) }
                (rows(visit, &first))
            }
        }
    };
    let others = html! {
        @if others.is_empty() {
            p { a href=(PATH) { (text!("All proposals")) } }
        } @else {
            section.plans aria-labelledby="proposals" {
                h2 #proposals { (text!("Open proposals")) }
                (rows(visit, &others))
                p { a href=(PATH) { (text!("All proposals")) } }
            }
        }
    };
    Ok(OpenProposals { waiting, others, listed: first.iter().map(|item| item.id).collect() })
}

fn rows(visit: &SignedIn, items: &[ListedProposal]) -> Markup {
    let now = visit.context.clock.now();
    html! {
        (untrusted(text!("The title of a proposal")))
        ul.plans {
            @for item in items {
                li {
                    a href=(proposal_href(item.id)) { (name(&item.title)) }
                    " " (state_mark(item.state, now >= item.expires_at))
                    ", " (text!("by {author}", author = actor(&item.actor))) ", " (time(item.created_at))
                }
            }
        }
    }
}
