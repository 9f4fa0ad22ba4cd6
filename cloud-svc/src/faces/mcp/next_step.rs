//! What the caller may do with a plan or a proposal. So a text names a call that is not refused. Only a help: the
//! operations check again.

use futures_util::future::LocalBoxFuture;
use serde::Deserialize as _;
use serde_json::{Value, json};
use shared_model::Error;
use shared_runtime::{
    http::operations::{CallResult, Operations},
    identity::{Actor, ActorKind},
    mcp::{Arguments, FOR_TEXT, call_operation, short_tag},
};

use super::text;
use crate::{
    base::{
        author::{self, Author},
        ids::{FileId, ProposalId, VersionId},
        owner::Owner,
        permissions::{PROPOSE, WRITE},
    },
    edits::proposals::members,
    files::{self, version_store, versions::risk},
    workspace::{
        agents,
        store::{self, AgentWrites},
    },
};

type Done<'c> = LocalBoxFuture<'c, Result<(), Error>>;

pub(super) fn of_plan<'c>(operations: &'c Operations, body: &'c mut Value) -> Done<'c> {
    Box::pin(async move {
        let plan = &body["plan"];
        let mut known = rights(operations, plan).await?;
        let id = |member: &str| plan[member].as_str().unwrap_or_default();
        known["page"] = operations.context().href(&format!("/f/{}/plans/{}", id("file_id"), id("id"))).into();
        if text::plans::needs_tag(plan) {
            known["if_match"] = current_tag(operations, plan).await?;
        }
        known["see_proposal"] = sees_proposal(operations, plan).await?.into();
        body[FOR_TEXT] = known;
        Ok(())
    })
}

pub(super) fn of_proposal<'c>(operations: &'c Operations, body: &'c mut Value) -> Done<'c> {
    Box::pin(async move {
        let proposal = &body["proposal"];
        let mut known = rights(operations, proposal).await?;
        let id = proposal["id"].as_str().unwrap_or_default();
        known["page"] = operations.context().href(&format!("/w/proposals/{id}")).into();
        body[FOR_TEXT] = known;
        Ok(())
    })
}

/// The same, and for which files an undo would be refused.
// This compares the contents of up to fifty files. So only the answer of `apply_proposal` says it.
pub(super) fn of_applied_proposal<'c>(operations: &'c Operations, body: &'c mut Value) -> Done<'c> {
    Box::pin(async move {
        let proposal = &body["proposal"];
        let mut known = rights(operations, proposal).await?;
        let plans = proposal["plans"].as_array().into_iter().flatten();
        let mut refused = Vec::new();
        for plan in plans.filter(|plan| plan["applied_version_id"].is_string()) {
            if is_undo_refused(operations, &known, plan).await? {
                refused.push(plan["file_id"].clone());
            }
        }
        known["undo_is_refused_for"] = refused.into();
        body[FOR_TEXT] = known;
        Ok(())
    })
}

/// Whether undoing an applied plan would be refused.
pub(super) fn of_applied<'c>(operations: &'c Operations, body: &'c mut Value) -> Done<'c> {
    Box::pin(async move {
        if body["undo"].is_object() {
            let known = rights(operations, &body["plan"]).await?;
            let is_refused = is_undo_refused(operations, &known, &body["plan"]).await?;
            body[FOR_TEXT] = json!({"undo_is_refused": is_refused});
        }
        Ok(())
    })
}

/// What the caller may do with a plan or a proposal, and which plans of agents need a review.
async fn rights(operations: &Operations, about: &Value) -> Result<Value, Error> {
    let mut known = allowed(operations).await?;
    let others = about["co_authors"].as_array().into_iter().flatten();
    let authors = others.chain([&about["actor"]]).filter_map(|actor| Actor::deserialize(actor).ok());
    known["is_author"] = is_author(operations, authors).into();
    Ok(known)
}

/// What the caller may do with any plan: `propose`, `apply`, and with `review` which plans need one.
pub(super) async fn allowed(operations: &Operations) -> Result<Value, Error> {
    // All operations that apply a plan need the same scope.
    let (mut propose, mut apply) = (operations.allows("rebase_edit_plan"), operations.allows("apply_proposal"));
    // With any token, since a model may decide what to call.
    let mut review = "risky";
    if let Some(author) = agent(operations)? {
        let limits = operations.context().look_up(move |conn| {
            let mut may = |scope: &str| match agents::check_may(conn, &author, scope) {
                Ok(_) => Ok(true),
                Err(Error::Refused(_)) => Ok(false),
                Err(failed) => Err(failed),
            };
            let (propose, apply) = (may(PROPOSE)?, may(WRITE)?);
            Ok((propose, apply, store::agent_writes(conn, author.workspace)?))
        });
        let (may_propose, may_apply, writes) = limits.await?;
        propose &= may_propose;
        apply &= may_apply;
        if writes == Some(AgentWrites::Review) {
            review = "every";
        }
    }
    Ok(json!({"propose": propose, "apply": apply, "review": review}))
}

/// The caller, if it is an agent.
fn agent(operations: &Operations) -> Result<Option<Author>, Error> {
    let Some(identity) = operations.identity() else { return Ok(None) };
    let author = Author::from_identity(identity)?;
    Ok(Some(author).filter(|author| author.actor.kind == ActorKind::Agent))
}

/// Whether the caller is one of these.
pub(super) fn is_author(operations: &Operations, mut authors: impl Iterator<Item = Actor>) -> bool {
    let own = operations.identity().and_then(|identity| identity.actor.as_ref());
    own.is_some_and(|own| authors.any(|actor| author::key(&actor) == author::key(own)))
}

/// False for a plan of a proposal whose other files the limits of the calling agent hide.
async fn sees_proposal(operations: &Operations, plan: &Value) -> Result<bool, Error> {
    let proposal = plan["proposal_id"].as_str().and_then(|id| id.parse::<ProposalId>().ok());
    // Only agents have limits.
    let (Some(id), Some(identity), Some(author)) = (proposal, operations.identity(), agent(operations)?) else {
        return Ok(true);
    };
    let owner = Owner::of_caller(identity)?;
    operations.context().look_up(move |conn| members::is_seen(conn, owner, &author, id)).await
}

/// Null if the file cannot be read.
async fn current_tag(operations: &Operations, plan: &Value) -> Result<Value, Error> {
    let file = Arguments::from_iter([("file_id".to_owned(), plan["file_id"].clone())]);
    let CallResult::Answered(json) = call_operation(operations, "get_file", file).await? else {
        return Ok(Value::Null);
    };
    let body: Value = serde_json::from_str(&json)?;
    Ok(body["file"]["etag"].as_str().map(short_tag).into())
}

/// Whether a person would have to approve the restore of the version before this plan; `known` are the rights.
async fn is_undo_refused(operations: &Operations, known: &Value, plan: &Value) -> Result<bool, Error> {
    if known["review"] == "every" {
        return Ok(true);
    }
    let Some(identity) = operations.identity() else { return Ok(false) };
    let owner = Owner::of_caller(identity)?;
    let id = |member: &str| plan[member].as_str().unwrap_or_default();
    let (Ok(file), Ok(version)) = (id("file_id").parse::<FileId>(), id("base_version_id").parse::<VersionId>()) else {
        return Ok(false);
    };
    let compared = operations.context().read(move |conn| {
        let Some(file) = files::store::find(conn, owner, file)? else { return Ok(false) };
        let earlier = version_store::find(conn, file.id, version)?;
        let current = files::store::with_content(conn, owner, file.id, file.kind)?;
        let (Some((_, earlier)), Some((_, current))) = (earlier, current) else { return Ok(false) };
        risk::is_risky(conn, &file, &current.content, &earlier.content)
    });
    compared.await
}
