//! `GET /w/agents`: the agents that have been seen in the workspace.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, SignedIn};

use super::{
    path::{LIMITS_PATH, PATH},
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
        p { "Programs that act for people in this workspace, under grants that people gave them." }
        @if list.items.is_empty() { p { "No agent has been seen here." } } @else { (untrusted("The name of an agent")) }
        @for agent in &list.items { (self::agent(&visit, agent)) }
        @if let Some(cursor) = &list.next_cursor {
            nav.pages aria-label="Pages of the list" { a rel="next" href=(address(PATH, &[("cursor", cursor)])) { "Next page" } }
        }
        h2 { "To end its access" }
        p {
            "Revoke the grant where you gave it, at your sign-in service, or ask the operator to revoke it. Until then, let \
             the agent only read. The operator can also let all agents of the workspace only read."
        }
        p { a href="/w" { "All files" } }
    };
    Ok(Page::new("Agents", body))
}

fn agent(visit: &SignedIn, agent: &AgentRecord) -> Markup {
    let limits = &agent.limits;
    html! {
        article.agent {
            h2 { (actor(&agent.actor)) }
            p { span.state { (if agent.is_active { "Has access" } else { "Its access has ended" }) } }
            dl.facts {
                div { dt { "May" } dd { (words::may(limits.may)) } }
                div {
                    dt { "Sees" }
                    dd {
                        @match &limits.folders { Some(folders) => (counted(folders.len(), "folder", "folders")), None => "all folders" }
                        ", "
                        @match &limits.types { Some(types) => (counted(types.len(), "type of file", "types of file")), None => "all types of file" }
                    }
                }
                div {
                    dt { "Last changed something" }
                    dd { @match agent.last_command_at { Some(at) => (ago(visit.context.clock.now(), at)), None => "never" } }
                }
                div { dt { "Seen first" } dd { (time(agent.first_seen_at)) } }
                @if agent.open_plans > 0 {
                    div { dt { "Plans" } dd { (counted(usize::try_from(agent.open_plans).unwrap_or_default(), "plan waits", "plans wait")) " for a decision" } }
                }
                div {
                    dt { "Written today" }
                    dd { (bytes(agent.bytes_today)) @if let Some(most) = limits.bytes_per_day { " of " (bytes(most)) } }
                }
            }
            p { a.button.quiet href=(address(LIMITS_PATH, &[("grant", &agent.grant_id)])) { "Limit what it may see and do" } }
            // The operator's command takes this id.
            details.organize { summary { "Details" } p { "Grant " code { bdi { (agent.grant_id) } } } }
        }
    }
}
