//! `POST /v1/files/{file_id}/edit-plans/{plan_id}/revise`: proposes other edits in the place of one's own plan.

use shared_model::{
    Error, code,
    json_column::Json,
    rule::{Array, Text},
};
use shared_runtime::{Answer, Body, IfMatch, Path};

use super::{
    derive::{derived, record, supersede},
    lineage::{CoAuthor, DerivedBy, Lineage},
    made,
    new_plan::NewPlan,
    operation::{Operation, SentOperations},
    plan::Plan,
    prepared_plan::PreparedPlan,
    record::NewPlanAnswer,
    request_review::requested,
    rules::{self, Step},
    store::{self, SentAgain},
};
use crate::{
    base::{
        author,
        ids::{FileId, PlanId},
        limits::EDIT_OPERATIONS,
        permissions::ProposeEdits,
        plan_state::StoredState,
    },
    files::{self, file::FileState, precondition},
    workspace::{
        changes::ChangeType,
        command::{ChangeContext, Command},
    },
};

shared_model::json_object! {
    /// All edits of the next revision of a plan.
    #[derive(Debug)]
    pub struct RevisePlan {
        /// The edits in their order, on the current content. They replace those of the plan.
        pub operations: Vec<Operation> as Array<Operation, 1, EDIT_OPERATIONS>,
        /// What the reviewer should know.
        pub note: Option<String> as Text<1000>,
    }
    example = {"note": "With the figures of this year.", "operations": [
        {"op": "insert_block", "block": {"type": "paragraph", "segments": [{"text": "Agreed."}]}, "after_id": "title"}
    ]};
}

/// Asks for a review again if the plan had one.
pub async fn revise(
    command: Command<ProposeEdits>,
    Path((id, old)): Path<(FileId, PlanId)>,
    if_match: IfMatch,
    Body(RevisePlan { operations, note }): Body<RevisePlan>,
) -> Result<Answer<NewPlanAnswer>, Error> {
    let random = command.context.random.clone();
    let new = PlanId::from_bytes(random.bytes16());
    let sent = SentOperations::new(operations);
    let sent_sha256 = sent.sha256();
    let make = move |conn: &mut _, file: &_| NewPlan::of_sent(conn, file, &sent, &random);
    let prepared = PreparedPlan::prepare(&command, id, make).await?;
    command
        .run(move |conn, by| {
            let file = files::store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
            let old = store::find_row(conn, id, old)?.ok_or_else(code::not_found)?;
            old.check_alone(&by.links)?;
            rules::check(conn, by, &old, Step::Revise)?;
            let (author_key, sent_again) = (author::key(&by.author.actor), SentAgain::Derivation(old.id));
            let same = store::open_for(conn, &file, &author_key, &sent_sha256, sent_again, by.at)?;
            // A retry with another key meets the plan that the first call has discarded.
            if old.state != StoredState::Discarded || same.is_none() {
                old.check_open(&by.links, &file)?;
            }
            precondition::check_state(&file, FileState::Active, &by.links)?;
            precondition::check_etag(conn, &file, if_match, &by.links)?;
            if let Some(same) = same {
                return made::join(by, &file, same);
            }
            let proposal = prepared.for_state(conn, &file)?;
            let plan = revision(proposal.plan(new, by), &old, by);
            let plan = if old.review.is_some() {
                record(conn, by, &plan, ChangeType::PlanReviewRequested)?;
                requested(plan, by, note.clone())
            } else {
                plan
            };
            // At the end: its change is news only if there is a revision.
            supersede(conn, by, old, plan.id)?;
            made::store_new(conn, by, &file, (plan, &proposal))
        })
        .await
}

/// The plan `made` as the next revision. Its author is who wrote it; the earlier authors become co-authors: otherwise
/// an earlier author could approve it.
fn revision(made: Plan, old: &Plan, by: &ChangeContext) -> Plan {
    let own = made.clone();
    let plan = derived(made, old, DerivedBy::Revision, by);
    let mut lineage = Lineage { revision: old.lineage.revision + 1, ..plan.lineage.0.clone() };
    if by.author.is(&old.actor) {
        return Plan { lineage: Json(lineage), ..plan };
    }
    lineage.co_authors.retain(|other| !by.author.is(&other.actor));
    lineage.co_authors.push(CoAuthor { actor: old.actor.0.clone(), subject: old.author_subject.clone() });
    let Plan { actor, author_key, author_subject, .. } = own;
    Plan { actor, author_key, author_subject, lineage: Json(lineage), ..plan }
}
