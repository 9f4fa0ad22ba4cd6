//! The store of edit plans. A plan is found through its file, so callers have checked that the file is visible.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp, json_column::Json};
use shared_runtime::{Conn, on_each, state::db::prepared};

use super::{
    plan::{Effects, Plan, Review, StoredState},
    proposal::Proposal,
};
use crate::base::{
    author::Author,
    ids::{FileId, PlanId, VersionId},
    tables::edit_plans,
};

pub fn insert(
    conn: &mut Conn,
    author: &Author,
    id: PlanId,
    proposal: &Proposal,
    at: Timestamp,
    expires_at: Timestamp,
) -> Result<Plan, Failure> {
    // A plan that changes nothing writes no content, so it needs none.
    let content = (!proposal.is_no_op()).then_some(proposal.content.as_str());
    let insert = diesel::insert_into(edit_plans::table).values((
        edit_plans::id.eq(id),
        edit_plans::file_id.eq(proposal.base.file),
        edit_plans::grant_id.eq(author.grant_id.as_str()),
        edit_plans::actor.eq(author.actor_json.as_str()),
        edit_plans::kind.eq(proposal.kind),
        edit_plans::state.eq(StoredState::Proposed),
        edit_plans::base_version_id.eq(proposal.base.version),
        edit_plans::base_meta_revision.eq(proposal.base.meta_revision),
        edit_plans::proposal_sha256.eq(proposal.content.sha256_hex()),
        edit_plans::base_sha256.eq(proposal.base_sha256.as_str()),
        edit_plans::effects.eq(proposal.effects.as_str()),
        edit_plans::created_at.eq(at),
        edit_plans::expires_at.eq(expires_at),
        edit_plans::preview.eq(proposal.preview.as_str()),
        edit_plans::operations.eq(proposal.operations.as_str()),
        edit_plans::content.eq(content),
    ));
    on_each!(conn, |c| insert.execute(c))?;
    Ok(Plan {
        id,
        file_id: proposal.base.file,
        grant_id: author.grant_id.clone(),
        actor: Json(author.actor.clone()),
        kind: proposal.kind.to_owned(),
        state: StoredState::Proposed,
        base_version_id: proposal.base.version,
        base_meta_revision: proposal.base.meta_revision,
        proposal_sha256: proposal.content.sha256_hex(),
        base_sha256: proposal.base_sha256.clone(),
        review: None,
        created_at: at,
        expires_at,
        applied_version_id: None,
        confirmed_at: None,
    })
}

/// A plan and its preview.
pub fn find(conn: &mut Conn, file: FileId, id: PlanId) -> Result<Option<(Plan, String)>, Failure> {
    let found = edit_plans::table
        .filter(edit_plans::id.eq(id).and(edit_plans::file_id.eq(file)))
        .select((Plan::as_select(), edit_plans::preview))
        .first(conn)
        .optional()?;
    Ok(found)
}

/// The content that a plan would write, unless it is deleted, and the effects.
pub fn result(conn: &mut Conn, id: PlanId) -> Result<(Option<String>, Effects), Failure> {
    let columns = (edit_plans::content, edit_plans::effects);
    let (content, effects): (_, Json<Effects>) = edit_plans::table.find(id).select(columns).first(conn)?;
    Ok((content, effects.0))
}

/// JSON text.
pub fn operations(conn: &mut Conn, id: PlanId) -> Result<String, Failure> {
    Ok(edit_plans::table.find(id).select(edit_plans::operations).first(conn)?)
}

/// The open plans of a file, newest first: those of the grant, and those of others that are in review or approved.
pub fn open(
    conn: &mut Conn,
    file: FileId,
    grant: &str,
    now: Timestamp,
    rows: i64,
) -> Result<Vec<(Plan, String)>, Failure> {
    let states = [StoredState::Proposed, StoredState::InReview, StoredState::Approved];
    let is_open = edit_plans::state.eq(states[0]).and(edit_plans::grant_id.eq(grant));
    let is_in_review = edit_plans::state.eq(states[1]).or(edit_plans::state.eq(states[2]));
    let found = edit_plans::table
        .filter(edit_plans::file_id.eq(file).and(edit_plans::expires_at.gt(now)))
        .filter(is_open.or(is_in_review))
        .select((Plan::as_select(), edit_plans::preview))
        .order((edit_plans::created_at.desc(), edit_plans::id.desc()))
        .limit(rows)
        .load(conn)?;
    Ok(found)
}

// The version has the content now, so the plan keeps no copy.
pub fn set_applied(conn: &mut Conn, plan: Plan, version: Option<VersionId>) -> Result<Plan, Failure> {
    let plan = Plan { state: StoredState::Applied, applied_version_id: version, ..plan };
    let values = (
        edit_plans::state.eq(plan.state),
        edit_plans::applied_version_id.eq(version),
        edit_plans::confirmed_at.eq(plan.confirmed_at),
        edit_plans::content.eq(None::<String>),
    );
    prepared(diesel::update(edit_plans::table.find(plan.id)).set(values)).execute(conn)?;
    Ok(plan)
}

pub fn set_discarded(conn: &mut Conn, plan: Plan) -> Result<Plan, Failure> {
    let plan = Plan { state: StoredState::Discarded, ..plan };
    let values = (edit_plans::state.eq(plan.state), edit_plans::content.eq(None::<String>));
    prepared(diesel::update(edit_plans::table.find(plan.id)).set(values)).execute(conn)?;
    Ok(plan)
}

/// Stores a request for review, or a verdict.
pub fn set_review(
    conn: &mut Conn,
    plan: Plan,
    state: StoredState,
    review: Review,
    expires_at: Timestamp,
) -> Result<Plan, Failure> {
    let values = (
        edit_plans::state.eq(state),
        edit_plans::review.eq(Some(serde_json::to_string(&review)?)),
        edit_plans::expires_at.eq(expires_at),
    );
    prepared(diesel::update(edit_plans::table.find(plan.id)).set(values)).execute(conn)?;
    Ok(Plan { state, review: Some(Json(review)), expires_at, ..plan })
}
