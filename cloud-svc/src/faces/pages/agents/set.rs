//! `/w/agents/limits`: the limits of an agent, and the form that sets them.

use maud::html;
use serde_json::{Value, json};
use shared_model::{Error, Refusal, code};
use shared_runtime::pages::{Page, PageResponse, Redirect, SignedIn, in_english, what_next};

use super::{
    limit_fields::{self, ALL, FOLDER, FOLDERS, KIND, KINDS, SOME, ticked},
    path::{LIMITS_PATH, PATH},
};
use crate::{
    edits::agents::{list::AgentList, read::LimitsAnswer, record::AgentRecord},
    faces::pages::{
        phrases::{actor, time, untrusted},
        refused,
    },
};

pub async fn form(visit: SignedIn) -> Result<Page, Error> {
    page(&visit, None).await
}

async fn page(visit: &SignedIn, refused: Option<&Refusal>) -> Result<Page, Error> {
    let grant = visit.value("grant").unwrap_or_default();
    let LimitsAnswer { limits } = visit.operation("get_agent_limits").path(&[grant]).answer().await?;
    let agent = find(visit, grant).await?;
    let fields = html! {
        input type="hidden" name="grant" value=(grant);
        (limit_fields::show(visit, &limits).await?)
        button { (text!("Set the limits")) }
    };
    let body = html! {
        @if let Some(refusal) = refused {
            div.alert role="alert" {
                p { strong { (text!("Nothing was done.")) } " " (in_english(&refusal.message)) }
                (what_next(refusal.next_action(false).as_ref()))
            }
        }
        (untrusted(text!("The name of an agent")))
        p {
            (text!("The agent sees nothing outside the limits. They apply from its next request."))
        }
        @if let (Some(by), Some(at)) = (&limits.set_by, limits.set_at) {
            p.note { (text!("Set by {by}, {time}.", by = actor(by), time = time(at))) }
        }
        @if visit.may("set_agent_limits") { (visit.form(LIMITS_PATH, fields)) }
        p { a href=(PATH) { (text!("All agents")) } }
    };
    let heading = text!("Limits of {agent}", agent = actor(&agent.actor));
    let page = Page::new(title!("Limits of {agent}", agent = agent.actor.display_name), body).heading(heading);
    Ok(match refused {
        Some(refusal) => page.refused_with(refusal.code),
        None => page,
    })
}

/// The API has a list of agents only.
async fn find(visit: &SignedIn, grant: &str) -> Result<AgentRecord, Error> {
    let mut cursor = Some(String::new());
    while let Some(after) = cursor {
        let list: AgentList =
            visit.operation("list_agents").query("limit", "100").query("cursor", after).answer().await?;
        if let Some(agent) = list.items.into_iter().find(|agent| agent.grant_id == grant) {
            return Ok(agent);
        }
        cursor = list.next_cursor;
    }
    Err(code::not_found().into())
}

pub async fn set(visit: SignedIn) -> Result<PageResponse, Error> {
    let grant = visit.value("grant").unwrap_or_default();
    let call = async {
        let body = body(&visit)?;
        visit.operation("set_agent_limits").path(&[grant]).once().json(body).text().await
    };
    // To the list, which shows the new limits of all agents beside each other.
    match call.await {
        Ok(_) => Ok(Redirect::to(PATH).into()),
        Err(Error::Refused(refusal)) if refused::is_shown(&refusal) => {
            page(&visit, Some(&refusal)).await.map(PageResponse::from)
        }
        Err(error) => Err(error),
    }
}

fn body(visit: &SignedIn) -> Result<Value, Refusal> {
    let mut body = json!({"may": visit.value("may").unwrap_or_default()});
    // Lists without a tick are refused, and a missing choice is too. Taken as "all", both would widen what the agent sees.
    for (choice, member, list) in
        [("rooms", "folders", ticked(visit, FOLDER, FOLDERS)), ("kinds", "types", ticked(visit, KIND, KINDS))]
    {
        match visit.value(choice) {
            Some(ALL) => {}
            Some(SOME) => body[member] = json!(list),
            _ => return Err(code::invalid_parameter(choice, "must be all or some")),
        }
    }
    let bytes = visit.value("bytes").unwrap_or_default().trim();
    if !bytes.is_empty() {
        let number: i64 = bytes.parse().map_err(|_| code::invalid_parameter("bytes", "must be a whole number"))?;
        body["bytes_per_day"] = json!(number);
    }
    Ok(body)
}
