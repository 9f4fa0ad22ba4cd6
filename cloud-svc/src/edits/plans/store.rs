//! The store of edit plans. A plan is found through its file, so callers have checked that the file is visible.

use std::collections::{BTreeSet, HashMap};

use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{BigInt, Bool, Nullable, Text},
};
use shared_model::{Error, Failure, Timestamp, json_column::Json};
use shared_runtime::{Conn, http::list::Position, on_each, state::db::prepared};

use super::{
    lineage::Lineage,
    new_plan::{Base, NewPlan},
    plan::{Effects, Plan},
};
use crate::{
    base::{
        ids::{CommentId, FileId, PlanId, ProposalId, VersionId, WorkspaceId},
        owner::Owner,
        plan_state::{OPEN, StoredState},
        tables::{edit_plans, files},
    },
    files::{
        file::{File, FileState},
        store::with_ids,
        tree,
    },
    workspace::{self, command::ChangeContext, limits},
};

/// Stores a new plan; 413 if the quota has no room for it, 403 if the limits of an agent have none.
pub fn insert(conn: &mut Conn, by: &ChangeContext, plan: Plan, proposal: &NewPlan) -> Result<Plan, Error> {
    // A plan that changes nothing writes no content, so it needs none.
    let content = (!proposal.is_no_op()).then_some(proposal.content.as_str());
    let made = (
        edit_plans::effects.eq(proposal.effects.as_str()),
        edit_plans::preview.eq(proposal.preview.as_str()),
        edit_plans::operations.eq(proposal.operations.as_str()),
        edit_plans::content.eq(content),
        edit_plans::authorship.eq(proposal.authorship.as_deref()),
    );
    let insert = diesel::insert_into(edit_plans::table).values((
        edit_plans::workspace_id.eq(by.workspace()),
        plan.clone(),
        made,
    ));
    on_each!(conn, |c| insert.execute(c)).map_err(Failure::from)?;
    // Last, because it locks the row of the workspace until the transaction ends.
    workspace::store::take(conn, &by.author, plan.content_bytes + plan.text_bytes, by.at)?;
    Ok(plan)
}

/// A command that may be a repeat: the plan that the first one made then answers it.
#[derive(Clone, Copy, Debug)]
pub enum SentAgain {
    /// A proposal: any plan, or only one that answers this comment.
    Proposal(Option<CommentId>),
    /// A rebase of this plan, which is up to date itself if there was nothing to do.
    Rebase(PlanId),
    /// A derivation from this plan.
    Derivation(PlanId),
}

/// The author's open plan with these operations for the present state of the file, and its preview.
pub fn open_for(
    conn: &mut Conn,
    file: &File,
    author_key: &str,
    sent_sha256: &str,
    command: SentAgain,
    now: Timestamp,
) -> Result<Option<(Plan, String)>, Failure> {
    let Some(base) = Base::of_file(file) else { return Ok(None) };
    let is_for_state =
        edit_plans::base_version_id.eq(base.version).and(edit_plans::base_meta_revision.eq(base.meta_revision));
    let open = edit_plans::table
        .filter(edit_plans::file_id.eq(file.id).and(edit_plans::sent_sha256.eq(sent_sha256)))
        .filter(edit_plans::author_key.eq(author_key).and(is_for_state))
        .filter(edit_plans::state.eq_any(OPEN).and(edit_plans::expires_at.gt(now)))
        .limit(1);
    let found: Option<(Plan, String)> = on_each!(conn, |c| {
        let open = open.select((Plan::as_select(), edit_plans::preview));
        match command {
            SentAgain::Proposal(None) => prepared(open).get_result(c).optional(),
            SentAgain::Proposal(Some(comment)) => {
                prepared(open.filter(edit_plans::answers_comment_id.eq(comment))).get_result(c).optional()
            }
            SentAgain::Rebase(old) => {
                let is_same = edit_plans::rebased_from.eq(old).or(edit_plans::id.eq(old));
                prepared(open.filter(is_same)).get_result(c).optional()
            }
            SentAgain::Derivation(old) => {
                prepared(open.filter(edit_plans::derived_from.eq(old))).get_result(c).optional()
            }
        }
    })?;
    Ok(found.filter(|(plan, _)| !plan.is_over(now)))
}

/// A plan without its preview.
pub fn find_row(conn: &mut Conn, file: FileId, id: PlanId) -> Result<Option<Plan>, Failure> {
    let of_file = edit_plans::table.filter(edit_plans::id.eq(id).and(edit_plans::file_id.eq(file)));
    Ok(on_each!(conn, |c| of_file.select(Plan::as_select()).first(c).optional())?)
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

/// What a plan shows and would write, as it is stored.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = edit_plans)]
pub struct Texts {
    pub preview: String,
    pub content: Option<String>,
    pub effects: Json<Effects>,
    pub operations: String,
    pub authorship: Option<String>,
}

/// The texts of these plans.
pub fn texts(conn: &mut Conn, owner: WorkspaceId, ids: &[PlanId]) -> Result<Vec<(PlanId, Texts)>, Failure> {
    let of_plans = edit_plans::table.filter(edit_plans::id.eq_any(ids).and(edit_plans::workspace_id.eq(owner)));
    Ok(on_each!(conn, |c| prepared(of_plans.select((edit_plans::id, Texts::as_select()))).load(c))?)
}

/// The texts of all plans of a proposal.
pub fn texts_of_proposal(conn: &mut Conn, owner: WorkspaceId, id: ProposalId) -> Result<Vec<(PlanId, Texts)>, Failure> {
    let of_proposal = edit_plans::table.filter(edit_plans::proposal_id.eq(id).and(edit_plans::workspace_id.eq(owner)));
    Ok(on_each!(conn, |c| of_proposal.select((edit_plans::id, Texts::as_select())).load(c))?)
}

/// A plan that was derived from another.
#[derive(Debug, Queryable)]
pub struct DerivedPlan {
    pub id: PlanId,
    pub derived_from: PlanId,
    pub applied_version_id: Option<VersionId>,
    pub lineage: Json<Lineage>,
}

/// The plans for a file that were derived from others.
pub fn derived_plans(conn: &mut Conn, file: FileId) -> Result<Vec<DerivedPlan>, Failure> {
    let found = edit_plans::table
        .filter(edit_plans::file_id.eq(file).and(edit_plans::derived_from.is_not_null()))
        .select((
            edit_plans::id,
            edit_plans::derived_from.assume_not_null(),
            edit_plans::applied_version_id,
            edit_plans::lineage,
        ))
        .load(conn)?;
    Ok(found)
}

/// The plans of these authors for a file that somebody may still apply or approve, without those of proposals.
pub fn undecided_alone(
    conn: &mut Conn,
    file: FileId,
    author_keys: &[String],
    now: Timestamp,
) -> Result<Vec<Plan>, Failure> {
    const UNDECIDED: [StoredState; 3] = [StoredState::Proposed, StoredState::InReview, StoredState::Approved];
    let undecided = edit_plans::table
        .filter(edit_plans::file_id.eq(file).and(edit_plans::proposal_id.is_null()))
        .filter(edit_plans::author_key.eq_any(author_keys))
        .filter(edit_plans::state.eq_any(UNDECIDED).and(edit_plans::expires_at.gt(now)))
        .order(edit_plans::id);
    Ok(on_each!(conn, |c| undecided.select(Plan::as_select()).load(c))?)
}

/// The plan from which this one was rebased.
pub fn rebased_from(conn: &mut Conn, id: PlanId) -> Result<Option<PlanId>, Failure> {
    let row = edit_plans::table.find(id).select(edit_plans::rebased_from);
    Ok(row.first::<Option<PlanId>>(conn).optional()?.flatten())
}

/// The plans of a proposal, in the order of their files, each with its preview.
pub fn of_proposal(conn: &mut Conn, id: ProposalId) -> Result<Vec<(Plan, String)>, Failure> {
    let found = edit_plans::table
        .filter(edit_plans::proposal_id.eq(id))
        .select((Plan::as_select(), edit_plans::preview))
        .order((edit_plans::file_id, edit_plans::id))
        .load(conn)?;
    Ok(found)
}

/// The same without previews.
pub fn rows_of_proposal(conn: &mut Conn, id: ProposalId) -> Result<Vec<Plan>, Failure> {
    let of_proposal = edit_plans::table.filter(edit_plans::proposal_id.eq(id));
    let ordered = of_proposal.order((edit_plans::file_id, edit_plans::id));
    Ok(on_each!(conn, |c| ordered.select(Plan::as_select()).load(c))?)
}

/// The plans of several proposals.
pub fn rows_of_proposals(conn: &mut Conn, ids: &[ProposalId]) -> Result<Vec<Plan>, Failure> {
    let of_proposals = edit_plans::table.filter(edit_plans::proposal_id.assume_not_null().eq_any(ids));
    let ordered = of_proposals.order((edit_plans::file_id, edit_plans::id));
    Ok(on_each!(conn, |c| ordered.select(Plan::as_select()).load(c))?)
}

/// Puts a plan into a proposal with this end, or takes it out.
pub fn set_proposal(conn: &mut Conn, plan: Plan, id: Option<ProposalId>, end: Timestamp) -> Result<Plan, Failure> {
    let plan = Plan { proposal_id: id, expires_at: end, ..plan };
    let values = (edit_plans::proposal_id.eq(id), edit_plans::expires_at.eq(end));
    prepared(diesel::update(edit_plans::table.find(plan.id)).set(values)).execute(conn)?;
    Ok(plan)
}

/// Takes a plan out of its proposal, where another takes its place.
pub fn leave_proposal(conn: &mut Conn, id: PlanId) -> Result<(), Failure> {
    let values = edit_plans::proposal_id.eq(None::<ProposalId>);
    prepared(diesel::update(edit_plans::table.find(id)).set(values)).execute(conn)?;
    Ok(())
}

pub fn preview(conn: &mut Conn, id: PlanId) -> Result<String, Failure> {
    Ok(edit_plans::table.find(id).select(edit_plans::preview).first(conn)?)
}

/// JSON text.
pub fn operations(conn: &mut Conn, id: PlanId) -> Result<String, Failure> {
    Ok(edit_plans::table.find(id).select(edit_plans::operations).first(conn)?)
}

/// Which open plans of a workspace to list.
#[derive(Clone, Debug)]
pub struct OpenPlans {
    pub owner: Owner,
    /// Only those for this file, which the caller has found. `None`: those for all visible files.
    pub file: Option<FileId>,
    /// Any of these. Four, because the text of the statement is then always the same.
    pub states: [StoredState; 4],
    pub authors: Authors,
    /// [`crate::base::author::key`] of the caller.
    pub author_key: String,
    /// The text of [`Lineage::naming`] for the caller.
    pub co_author: String,
    pub now: Timestamp,
}

/// Whose plans to list: those with edits of the caller, those of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Authors {
    pub own: bool,
    pub others: bool,
}

impl Authors {
    pub const ALL: Self = Self { own: true, others: true };
    pub const OWN: Self = Self { own: true, others: false };
    pub const NOBODY: Self = Self { own: false, others: false };
}

#[derive(Clone, Copy, Debug, Queryable)]
pub struct PlanPlace {
    pub id: PlanId,
    pub created_at: Timestamp,
    /// Bytes of the preview and the operations, a bound for the preview. Measuring the preview alone would load it.
    pub text_bytes: i64,
}

/// SQL: [`OPEN`] in words. Redundant, but the planner needs it to use the partial index of open plans in their order.
const IS_OPEN: &str = "edit_plans.state IN ('proposed', 'in_review', 'approved', 'returned')";

/// Up to `rows` open plans, newest first, without their texts.
pub fn places(
    conn: &mut Conn,
    wanted: &OpenPlans,
    start: Position<PlanId>,
    rows: i64,
) -> Result<Vec<PlanPlace>, Failure> {
    let OpenPlans { owner, file, states: [one, two, three, four], authors, author_key, co_author, now } = wanted;
    if *authors == Authors::NOBODY {
        return Ok(Vec::new());
    }
    let mut query = edit_plans::table
        .inner_join(files::table.on(files::id.eq(edit_plans::file_id)))
        .filter(edit_plans::expires_at.gt(now))
        .filter(
            edit_plans::state
                .eq(one)
                .or(edit_plans::state.eq(two))
                .or(edit_plans::state.eq(three))
                .or(edit_plans::state.eq(four)),
        )
        .select((edit_plans::id, edit_plans::created_at, edit_plans::text_bytes))
        .order((edit_plans::created_at.desc(), edit_plans::id.desc()))
        .limit(rows)
        .into_boxed();
    if let Some(file) = file {
        // Without the workspace, which the file implies: its index would lead through the plans for all files.
        query = query.filter(edit_plans::file_id.eq(file));
    } else {
        query = query.filter(edit_plans::workspace_id.eq(owner.workspace()).and(sql::<Bool>(IS_OPEN)));
        // Before the limit of rows, so that hidden plans leave no short pages.
        query = query.filter(files::state.eq(FileState::Active).and(files::purged_at.is_null()));
        query = query.filter(sql::<Bool>(tree::IS_VISIBLE));
        limits::within_limits!(query, owner);
    }
    // A lineage names the caller if removing that name changes its text. Both databases have `replace`.
    let nameless = || sql::<Bool>("replace(edit_plans.lineage, ").bind::<Text, _>(co_author);
    match (authors.own, authors.others) {
        (true, false) => {
            let is_named = nameless().sql(", '') <> edit_plans.lineage");
            query = query.filter(edit_plans::author_key.eq(author_key).or(is_named));
        }
        (false, true) => {
            let is_not_named = nameless().sql(", '') = edit_plans.lineage");
            query = query.filter(edit_plans::author_key.ne(author_key).and(is_not_named));
        }
        _ => {}
    }
    let Position { at, id } = start;
    if let Some(id) = id {
        // Two conditions, because the first is a range of the index.
        query = query.filter(edit_plans::created_at.le(at));
        query = query.filter(edit_plans::created_at.lt(at).or(edit_plans::id.lt(id)));
    }
    Ok(prepared(query).load(conn)?)
}

/// These plans in this order, with their previews and files.
pub fn with_files(conn: &mut Conn, owner: Owner, ids: &[PlanId]) -> Result<Vec<(Plan, String, File)>, Failure> {
    let plans: Vec<(Plan, String)> = on_each!(conn, |c| edit_plans::table
        .filter(edit_plans::id.eq_any(ids))
        .select((Plan::as_select(), edit_plans::preview))
        .load(c))?;
    let of_plans: BTreeSet<FileId> = plans.iter().map(|(plan, _)| plan.file_id).collect();
    let files = with_ids(conn, owner, &of_plans.into_iter().collect::<Vec<_>>())?;
    let files: HashMap<FileId, File> = files.into_iter().map(|file| (file.id, file)).collect();
    let with_file = |(plan, preview): (Plan, String)| {
        let file = files.get(&plan.file_id)?.clone();
        Some((plan.id, (plan, preview, file)))
    };
    let mut found: HashMap<PlanId, _> = plans.into_iter().filter_map(with_file).collect();
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

/// Stores that these plans, which were open, are applied. Each has added the current version of its file, or changes nothing.
// The version has the content now, so the plan keeps no copy. The caller gives back its storage.
pub fn set_applied(conn: &mut Conn, ids: &[PlanId], confirmed_at: Option<Timestamp>) -> Result<(), Failure> {
    // As `IsCurrent` of files: without the sum, PostgreSQL may read all versions of a file.
    const ADDED: &str = "CASE WHEN proposal_sha256 = base_sha256 THEN NULL ELSE (
        SELECT versions.id FROM files
        JOIN versions ON versions.file_id = files.id + 0 AND versions.number = files.current_version
        WHERE files.id = edit_plans.file_id) END";
    let values = (
        edit_plans::state.eq(StoredState::Applied),
        edit_plans::applied_version_id.eq(sql::<Nullable<BigInt>>(ADDED)),
        edit_plans::confirmed_at.eq(confirmed_at),
        edit_plans::content.eq(None::<String>),
        edit_plans::content_bytes.eq(0),
        edit_plans::authorship.eq(None::<String>),
    );
    let update = diesel::update(edit_plans::table.filter(edit_plans::id.eq_any(ids))).set(values);
    on_each!(conn, |c| prepared(update).execute(c))?;
    Ok(())
}

// The caller gives back the storage of its content.
pub fn set_discarded(conn: &mut Conn, plan: Plan) -> Result<Plan, Failure> {
    let plan = Plan { state: StoredState::Discarded, content_bytes: 0, ..plan };
    let values = (
        edit_plans::state.eq(plan.state),
        edit_plans::lineage.eq(&plan.lineage),
        edit_plans::content.eq(None::<String>),
        edit_plans::content_bytes.eq(plan.content_bytes),
        edit_plans::authorship.eq(None::<String>),
    );
    on_each!(conn, |c| prepared(diesel::update(edit_plans::table.find(plan.id)).set(values)).execute(c))?;
    Ok(plan)
}

/// Stores a verdict after which the plan cannot be applied.
// The caller gives back the storage of its content.
pub fn set_refused(conn: &mut Conn, plan: Plan) -> Result<Plan, Failure> {
    let plan = Plan { content_bytes: 0, ..plan };
    let values = (
        edit_plans::content.eq(None::<String>),
        edit_plans::content_bytes.eq(plan.content_bytes),
        edit_plans::authorship.eq(None::<String>),
    );
    on_each!(conn, |c| prepared(diesel::update(edit_plans::table.find(plan.id)).set(values)).execute(c))?;
    set_review(conn, plan)
}

/// Stores a request for review, or an approval.
pub fn set_review(conn: &mut Conn, plan: Plan) -> Result<Plan, Failure> {
    let values = (
        edit_plans::state.eq(plan.state),
        edit_plans::review.eq(plan.review.as_ref().map(serde_json::to_string).transpose()?),
        edit_plans::expires_at.eq(plan.expires_at),
    );
    prepared(diesel::update(edit_plans::table.find(plan.id)).set(values)).execute(conn)?;
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_of_open_plans_and_its_query_name_all_open_states() {
        let migration = include_str!("../../../migrations/2026-11-28-000019_lists_and_deliveries/both.sql");
        let states = OPEN.map(|state| format!("'{}'", state.as_str())).join(", ");
        assert_eq!(IS_OPEN, format!("edit_plans.state IN ({states})"));
        assert!(migration.contains(&format!("WHERE state IN ({states});")), "{migration}");
    }
}
