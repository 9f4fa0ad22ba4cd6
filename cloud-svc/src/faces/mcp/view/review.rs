//! What the view shows: `service-cloud://plans/{file_id}/{plan_id}` and `service-cloud://proposals/{proposal_id}`.

use maud::{Markup, html};
use serde::de::DeserializeOwned;
use serde_json::Value;
use shared_model::{ErrorBody, Failure, code};
use shared_runtime::{
    http::operations::{CallResult, Operations},
    mcp::{Arguments, Content, call_operation},
};
use url::Url;

use crate::{
    edits::{
        plans::record::{PlanAnswer, PlanRecord},
        proposals::record::ProposalDetails,
    },
    faces::pages::{Excerpt, excerpt},
    files::{file::FileAnswer, versions::read::VersionAnswer},
};
use cloud_content::file_type::FileType;

pub const SCHEME: &str = "service-cloud";

type Read<T> = Result<Result<T, ErrorBody>, Failure>;

/// The resource with this URI; `None` if it is none of the view's.
pub async fn read(operations: &Operations, uri: &str) -> Option<Read<Content>> {
    let uri = Url::parse(uri).ok().filter(|uri| uri.scheme() == SCHEME)?;
    let host = uri.host_str().filter(|host| matches!(*host, "plans" | "proposals"))?;
    let ids: Vec<&str> = uri.path().split('/').skip(1).collect();
    let page = match uri.query_pairs().collect::<Vec<_>>().as_slice() {
        [] => Some(1),
        [(name, page)] if name == "page" => page.parse().ok().filter(|page| *page > 0),
        _ => None,
    };
    let shown = match (host, &ids[..], page) {
        ("plans", [file, plan], Some(page)) => plan_of(operations, file, plan, (page, "")).await,
        ("proposals", [proposal], Some(page)) => proposal_of(operations, proposal, page).await,
        _ => not_found(operations),
    };
    Some(match shown {
        Ok(Ok(markup)) => Ok(Ok(content(operations, &markup))),
        Ok(Err(refused)) => Ok(Err(refused)),
        Err(failed) => Err(failed),
    })
}

fn content(operations: &Operations, markup: &Markup) -> Content {
    let base = operations.context().href("/");
    let text = html! { div data-base=(base) { (markup) } }.into_string();
    Content { text, media_type: "text/html", next_uri: None }
}

fn not_found<T>(operations: &Operations) -> Read<T> {
    match operations.refuse("get_edit_plan", &code::not_found())? {
        CallResult::Refused(body) => Ok(Err(body)),
        CallResult::Answered(_) => Err(Failure::fault("a refusal that is an answer")),
    }
}

/// `uri` is what the links to other pages begin with.
async fn plan_of(operations: &Operations, file: &str, plan: &str, (page, uri): (usize, &str)) -> Read<Markup> {
    let ids = [("file_id", file), ("plan_id", plan)];
    let PlanAnswer { plan, .. } = match answered(operations, "get_edit_plan", &ids).await? {
        Ok(answer) => answer,
        Err(refused) => return Ok(Err(refused)),
    };
    let FileAnswer { file } = match answered(operations, "get_file", &[("file_id", file)]).await? {
        Ok(answer) => answer,
        Err(refused) => return Ok(Err(refused)),
    };
    let base = match base(operations, &plan, file.kind).await? {
        Ok(base) => base,
        Err(refused) => return Ok(Err(refused)),
    };
    Ok(Ok(excerpt(Excerpt { plan, file_name: &file.name, base: base.as_ref(), page, uri })?))
}

/// The content that names the changed parts. Cells have names of their own, and a note has no parts.
async fn base(operations: &Operations, plan: &PlanRecord, kind: FileType) -> Read<Option<Value>> {
    if matches!(kind, FileType::Spreadsheet | FileType::Note) {
        return Ok(Ok(None));
    }
    let ids = [("file_id", &*plan.file_id.to_string()), ("version_id", &*plan.base_version_id.to_string())];
    let read: VersionAnswer = match answered(operations, "get_version", &ids).await? {
        Ok(read) => read,
        Err(refused) => return Ok(Err(refused)),
    };
    Ok(Ok(Some(serde_json::from_str(read.content.get())?)))
}

/// One plan a page: each may be as long as an answer may be.
async fn proposal_of(operations: &Operations, id: &str, page: usize) -> Read<Markup> {
    let details: ProposalDetails = match answered(operations, "get_proposal", &[("proposal_id", id)]).await? {
        Ok(details) => details,
        Err(refused) => return Ok(Err(refused)),
    };
    let proposal = details.proposal;
    let count = proposal.plans.len();
    let Some(plan) = proposal.plans.get(page - 1) else { return not_found(operations) };
    let (file, plan) = (plan.file_id.to_string(), plan.id.to_string());
    // With the proposal's URI, the next page would show another plan instead of more changes.
    let uri = format!("{SCHEME}://plans/{file}/{plan}");
    let shown = match plan_of(operations, &file, &plan, (1, &uri)).await? {
        Ok(shown) => shown,
        Err(refused) => return Ok(Err(refused)),
    };
    Ok(Ok(html! {
        p { strong { bdi { (proposal.title) } } }
        p { "Plan " (page) " of " (count) ". They are applied all or none." }
        @if let Some(reason) = &proposal.reason { blockquote.as-written dir="auto" { (reason) } }
        (shown)
        nav aria-label="Plans of the proposal" {
            @if page > 1 { a href=(format!("?page={}", page - 1)) { "Plan before" } " " }
            @if page < count { a href=(format!("?page={}", page + 1)) { "Next plan" } }
        }
    }))
}

async fn answered<T: DeserializeOwned>(operations: &Operations, id: &str, arguments: &[(&str, &str)]) -> Read<T> {
    let arguments: Arguments =
        arguments.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
    match call_operation(operations, id, arguments).await? {
        CallResult::Answered(json) => Ok(Ok(serde_json::from_str(&json)?)),
        CallResult::Refused(body) => Ok(Err(body)),
    }
}
