//! `POST /v1/files/{file_id}/edit-plans/{plan_id}/rebase`: proposes the edits of a plan on the present content.

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use sha2::{Digest as _, Sha256};
use shared_model::{Error, Failure, Refusal, code};
use shared_runtime::{Answer, Body, Conn, IfMatch, Path};

use super::{
    applied_parts, made,
    new_plan::NewPlan,
    operation,
    plan::Plan,
    prepared_plan::PreparedPlan,
    record::NewPlanAnswer,
    seen,
    store::{self, SentAgain},
    successor,
};
use crate::{
    base::{
        codes,
        empty::Empty,
        ids::{FileId, PlanId},
        limits::EDIT_OPERATIONS,
        links::FileLinks,
        owner::Owner,
        permissions::ProposeEdits,
        plan_state::StoredState,
    },
    files::{
        self,
        file::{File, FileState},
        precondition, version_store,
    },
    workspace::command::Command,
};
use cloud_content::{
    conflicts::conflicts,
    content::Content,
    edited::edited,
    of_kind,
    separation::{OperationLimits, Separated, Separation, separate},
};

/// The most keys in a message.
const KEYS_IN_MESSAGE: usize = 20;

/// Makes a new plan of the same author if nobody has changed what the plan changes.
pub async fn rebase(
    command: Command<ProposeEdits>,
    Path((id, plan)): Path<(FileId, PlanId)>,
    if_match: IfMatch,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<NewPlanAnswer>, Error> {
    // Made here, because the transaction may run again.
    let new = PlanId::from_bytes(command.context.random.bytes16());
    let links = Arc::clone(&command.by.links);
    let make = move |conn: &mut _, file: &_| rebased(conn, file, plan, &links);
    let prepared = PreparedPlan::prepare(&command, id, make).await?;
    command
        .run(move |conn, by| {
            let file = files::store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
            let old = store::find_row(conn, id, plan)?.ok_or_else(code::not_found)?;
            let sent_sha256 = sent_sha256(&old, &applied_parts::changes(conn, &old)?);
            let same = store::open_for(conn, &file, &old.author_key, &sent_sha256, SentAgain::Rebase(old.id), by.at)?;
            // A retry with another key meets a plan that the first call has discarded.
            if old.state != StoredState::Discarded || same.is_none() {
                old.check_open(&by.links, &file)?;
            }
            old.check_not_returned(&by.links)?;
            old.check_alone(&by.links)?;
            precondition::check_state(&file, FileState::Active, &by.links)?;
            precondition::check_etag(conn, &file, if_match, &by.links)
                .map_err(|error| old.rebase_if_stale(&by.links, &file, error))?;
            if let Some(same) = same {
                return made::join(by, &file, same);
            }
            let proposal = prepared.for_state(conn, &file)?;
            let plan = successor::succeed(conn, by, old, proposal.plan(new, by), proposal.shows_the_same)?;
            made::store_new(conn, by, &file, (plan, &proposal))
        })
        .await
}

/// The edits of the plan, proposed for the present state of the file.
pub fn rebased(conn: &mut Conn, file: &File, plan: PlanId, links: &FileLinks) -> Result<NewPlan, Error> {
    // Impossible edits are a conflict and no mistake of the caller. A block may be deleted by now, or the file may have
    // grown too large.
    let impossible = |error| match error {
        Error::Refused(refusal) if refusal.code.status == 422 => conflict(file, links, refusal.message).into(),
        other => other,
    };
    let plan = store::find_row(conn, file.id, plan)?.ok_or_else(code::not_found)?;
    let made = of_kind!(file.kind, C => rebased_as::<C>(conn, file, &plan, links).map_err(impossible)?);
    made.ok_or_else(|| Failure::fault("a plan for a file without content").into())
}

fn rebased_as<C: Content>(conn: &mut Conn, file: &File, plan: &Plan, links: &FileLinks) -> Result<NewPlan, Error> {
    let operations = operation::stored::<C>(&store::operations(conn, plan.id)?)?;
    let base = version_store::find(conn, file.id, plan.base_version_id)?;
    let current = files::store::with_content(conn, Owner::without_limits(file.workspace_id), file.id, C::TYPE)?;
    let (Some((_, base)), Some((_, current))) = (base, current) else {
        return Err(Failure::fault("a version that a plan is for is gone").into());
    };
    let base: C = serde_json::from_str(&base.content).map_err(Failure::from)?;
    let current: C = serde_json::from_str(&current.content).map_err(Failure::from)?;
    // The changes of applied parts are in the file already. The rest is proposed on a base that has them.
    let applied = applied_parts::changes(conn, plan)?;
    let sent_sha256 = sent_sha256(plan, &applied);
    let (base, operations) = without_applied_parts(&applied, base, operations, links, file)?;
    // Without retired ids, which differ between the two states. `NewPlan::make` checks them.
    let edit = |content: &C| edited(content, &operations, HashSet::new()).map(|(result, _)| result);
    let keys = conflicts(&base, &current, &operations, edit)?;
    if !keys.is_empty() {
        let named: Vec<String> = keys.iter().take(KEYS_IN_MESSAGE).map(|key| current.key_in_message(key)).collect();
        let message = format!(
            "The file has changed where the plan would change it. Affected parts ({}): {}.",
            keys.len(),
            named.join(", ")
        );
        return Err(conflict(file, links, message.into()).into());
    }
    let proposal = NewPlan::make::<C>(conn, file, &operations, sent_sha256)?;
    let shows_the_same =
        plan.state == StoredState::Approved && seen::shows_the_same(conn, plan, &proposal, (&base, &current), edit)?;
    Ok(NewPlan { shows_the_same, ..proposal })
}

/// The hash by which a retry of the rebase finds the plan that it made.
// The rest must not answer for the whole plan: an author who proposes all edits again would miss some.
fn sent_sha256(plan: &Plan, applied: &BTreeSet<usize>) -> String {
    if applied.is_empty() {
        return plan.sent_sha256.clone();
    }
    hex::encode(Sha256::digest(format!("{} without {applied:?}", plan.sent_sha256)))
}

fn without_applied_parts<C: Content>(
    applied: &BTreeSet<usize>,
    base: C,
    operations: Vec<C::Operation>,
    links: &FileLinks,
    file: &File,
) -> Result<(C, Vec<C::Operation>), Error> {
    if applied.is_empty() {
        return Ok((base, operations));
    }
    // Only the rest is stored, so only the rest has the limit of stored lists.
    let most = OperationLimits { part: usize::MAX, rest: EDIT_OPERATIONS };
    // Two parts were separated each from the whole, so both together may still be inseparable from the rest. The
    // changes then conflict, and the refusal names them.
    let Separated::Into(Separation { part, rest }) = separate(&base, &operations, &HashSet::new(), applied, most)?
    else {
        return Ok((base, operations));
    };
    if rest.is_empty() {
        let message = "All changes of the plan have been applied in parts. Its author can discard it, and a reviewer can reject it.";
        return Err(Refusal { message: message.into(), ..links.refresh(&codes::PLAN_ALREADY_APPLIED, file) }.into());
    }
    Ok((edited(&base, &part, HashSet::new())?.0, rest))
}

fn conflict(file: &File, links: &FileLinks, message: Cow<'static, str>) -> Refusal {
    Refusal { message, ..links.refresh(&codes::PLAN_CONFLICT, file) }
}
