//! `GET /w/agents`: the agents that have been seen in the workspace.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, SignedIn};

use super::{
    path::{LIMITS_PATH, PATH, REVOKE_PATH},
    words,
};
use crate::{
    edits::agents::{list::AgentList, record::AgentRecord},
    faces::pages::phrases::{actor, address, ago, bytes, counted, time, untrusted},
};

const ROWS: &str = "50";

pub async fn agents(visit: SignedIn) -> Result<Page, Error> {
    let cursor = visit.value("cursor").unwrap_or_default();
    let list: AgentList = visit.operation("list_agents").query("limit", ROWS).query("cursor", cursor).answer().await?;
    let body = html! {
        p { (text!("Programs that act for people in this workspace, under grants that people gave them.")) }
        @if list.items.is_empty() {
            p { (text!("No agent has been seen here.")) }
        } @else {
            (untrusted(text!("The name of an agent")))
        }
        @for agent in &list.items { (self::agent(&visit, agent)) }
        @if let Some(cursor) = &list.next_cursor {
            nav.pages aria-label=(text!("Pages of the list")) {
                a rel="next" href=(address(PATH, &[("cursor", cursor)])) { (text!("Next page")) }
            }
        }
        p.note { (text!("The operator can also let all agents of the workspace only read.")) }
        p { a href="/w" { (text!("All files")) } }
    };
    Ok(Page::new(text!("Agents"), body))
}

fn agent(visit: &SignedIn, agent: &AgentRecord) -> Markup {
    let limits = &agent.limits;
    html! {
        article.agent {
            h2 { (actor(&agent.actor)) }
            p {
                span.state { (if agent.is_active { text!("Has access") } else { text!("Its access has ended") }) }
                @if let (Some(by), Some(at)) = (&agent.revoked_by, agent.revoked_at) {
                    " " (text!("Revoked by {by}, {time}.", by = actor(by), time = time(at)))
                }
            }
            dl.facts {
                div { dt { (text!("May")) } dd { (words::may(limits.may)) } }
                div {
                    dt { (text!("Sees")) }
                    dd {
                        @match &limits.folders { Some(folders) => (counted(folders.len(), text!("{n} folder"), text!("{n} folders"))), None => (text!("all folders")) }
                        ", "
                        @match &limits.types { Some(types) => (counted(types.len(), text!("{n} type of file"), text!("{n} types of file"))), None => (text!("all types of file")) }
                    }
                }
                div {
                    dt { (text!("Last change")) }
                    dd {
                        @match agent.last_command_at { Some(at) => (ago(visit.context.clock.now(), at)), None => (text!("never")) }
                    }
                }
                div { dt { (text!("First seen")) } dd { (time(agent.first_seen_at)) } }
                @if agent.open_plans > 0 {
                    div {
                        dt { (text!("Plans")) }
                        dd {
                            (counted(usize::try_from(agent.open_plans).unwrap_or_default(), text!("{n} open plan"), text!("{n} open plans")))
                        }
                    }
                }
                div {
                    dt { (text!("Written today")) }
                    dd {
                        @match limits.bytes_per_day {
                            Some(most) => (text!("{size} of {most}", size = bytes(agent.bytes_today), most = bytes(most))),
                            None => (bytes(agent.bytes_today)),
                        }
                    }
                }
            }
            p {
                a.button.quiet href=(address(LIMITS_PATH, &[("grant", &agent.grant_id)])) {
                    (text!("Limit what it may see and do"))
                }
            }
            @if agent.revoked_at.is_none() && visit.may("revoke_agent") {
                details.organize {
                    summary { (text!("End its access")) }
                    p {
                        (text!("The agent is refused here permanently. Other services are not notified: revoke its grant also where you gave it."))
                    }
                    (visit.form(REVOKE_PATH, html! {
                        input type="hidden" name="grant" value=(agent.grant_id);
                        button.danger { (text!("Revoke the grant")) }
                    }))
                }
            }
            // The operator's command takes this id.
            details.organize {
                summary { (text!("Details")) }
                p { (text!("Grant {id}", id = html! { code { bdi { (agent.grant_id) } } })) }
            }
        }
    }
}
