//! Facts about a whole proposal.

use maud::{Markup, html};

use super::{
    plans,
    shown_proposal::{ShownProposal, state_mark},
};
use crate::faces::pages::phrases::{actor, counted, time};

/// State, author, times, and a list of the files.
pub fn show(proposal: &ShownProposal) -> Markup {
    let record = &proposal.record;
    html! {
        p.standing {
            (state_mark(proposal.record.state, proposal.is_over()))
            @if !proposal.is_over() && proposal.stale().next().is_some() {
                " " span.state.stale { (text!("Stale: files have changed since")) }
            }
        }
        dl.facts {
            div { dt { (text!("Proposed by")) } dd { (actor(&record.actor)) ", " (time(record.created_at)) } }
            @if proposal.is_open() && !proposal.is_over() {
                div { dt { (text!("Can be applied until")) } dd { (time(record.expires_at)) } }
            }
        }
        section.plans aria-labelledby="files" {
            h2 #files { (text!("Files")) }
            p { (text!("All of them change together, or none does.")) }
            ul {
                @for (index, plan) in proposal.plans.iter().enumerate() {
                    li {
                        a href=(format!("#{}", plans::anchor(index))) { (plans::file_name(plan)) }
                        ", " (counted(plan.record.operations, text!("{n} edit"), text!("{n} edits")))
                        @if !plan.warnings.is_empty() {
                            ", " (counted(plan.warnings.len(), text!("{n} warning"), text!("{n} warnings")))
                        }
                        @if proposal.trashed.contains(&plan.record.file_id) {
                            " " span.state.stale { (text!("In the trash")) }
                        } @else if proposal.is_open() && plan.record.stale { " " span.state.stale { (text!("Stale")) } }
                    }
                }
            }
        }
    }
}

/// Why nobody can approve or apply it now; empty if somebody can.
pub fn not_up_to_date(proposal: &ShownProposal) -> Markup {
    let is_over = proposal.is_over();
    let (trashed, stale): (Vec<_>, Vec<_>) =
        proposal.stale().partition(|(_, plan)| proposal.trashed.contains(&plan.record.file_id));
    let stale: Vec<_> = stale.into_iter().filter(|_| !is_over).collect();
    html! {
        @if is_over || !trashed.is_empty() || !stale.is_empty() || !proposal.is_whole {
            div.alert role="group" aria-label=(text!("Not up to date")) {
                @if !proposal.is_whole {
                    p { strong { (text!("A file of the proposal is gone, or its folder is in the trash.")) } }
                }
                @for (_, plan) in &trashed {
                    p {
                        strong { (text!("{file} is in the trash.", file = plans::file_name(plan))) }
                        " " (text!("Take the file out of the trash. Otherwise the proposal can only be discarded, by its author."))
                    }
                }
                @if is_over { p { strong { (text!("This proposal was not applied in time.")) } } }
                @if !stale.is_empty() {
                    p { strong { (text!("These files have changed since their plans were made:")) } }
                    ul {
                        @for (index, plan) in stale {
                            li { a href=(format!("#{}", plans::anchor(index))) { (plans::file_name(plan)) } }
                        }
                    }
                }
            }
        }
    }
}

/// For those who compare it with what a program says.
pub fn ids(proposal: &ShownProposal) -> Markup {
    html! {
        details.organize {
            summary { (text!("Details")) }
            dl.facts {
                div { dt { (text!("Proposal")) } dd { code { (proposal.record.id) } } }
                div { dt { (text!("SHA-256 of all plans")) } dd { code { (proposal.record.proposal_sha256) } } }
                @for plan in &proposal.plans {
                    div {
                        dt { (plans::file_name(plan)) }
                        dd { code { (plan.record.file_id) } ", " code { (plan.record.id) } }
                    }
                }
            }
        }
    }
}
