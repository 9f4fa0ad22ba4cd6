//! `POST /v1/files/{file_id}/edit-plans/{plan_id}/split`: makes a plan with some of the changes of another.

use std::{collections::BTreeSet, sync::Arc};

use sha2::{Digest as _, Sha256};
use shared_model::{Error, Failure, Problem, Refusal, code, json_column::Json, rule::Array};
use shared_runtime::{Answer, Body, Conn, Path};

use super::{
    derive::{derived, record},
    lineage::{DerivedBy, Lineage},
    made,
    new_plan::NewPlan,
    operation,
    plan::{Plan, StoredPreview},
    prepared_plan::PreparedPlan,
    record::NewPlanAnswer,
    request_review::requested,
    rules::{self, Step},
    store::{self, SentAgain},
};
use crate::{
    base::{
        codes,
        ids::{FileId, PlanId},
        limits::EDIT_OPERATIONS,
        links::FileLinks,
        permissions::ProposeEdits,
    },
    files::{
        self,
        file::{File, FileState},
        precondition, retired_part_ids, version_store,
    },
    workspace::{changes::ChangeType, command::Command},
};
use cloud_content::{
    change_id::ChangeId,
    content::Content,
    of_kind,
    preview::ChangeKind,
    separation::{OperationLimits, Separated, separate},
};

/// The most changes that one choice names.
const CHANGES: usize = 10_000;

shared_model::json_object! {
    /// The changes of a plan that a part of it makes.
    #[derive(Debug)]
    pub struct SplitPlan {
        /// The ids of changes, as the plan shows them.
        pub changes: Vec<ChangeId> as Array<ChangeId, 1, CHANGES>,
    }
    example = {"changes": ["c1"]};
}

/// The other plan stays open with all its changes, until parts have made all of them. When it is rebased, what its parts
/// have applied is left out. A part with all changes would be the same plan again, so the plan itself is the answer.
pub async fn split(
    command: Command<ProposeEdits>,
    Path((id, whole)): Path<(FileId, PlanId)>,
    Body(SplitPlan { changes }): Body<SplitPlan>,
) -> Result<Answer<NewPlanAnswer>, Error> {
    let new = PlanId::from_bytes(command.context.random.bytes16());
    let chosen: BTreeSet<usize> = changes.iter().map(ChangeId::index).collect();
    // In the order of the plan and each once, whatever was sent.
    let changes: Vec<ChangeId> = chosen.iter().copied().map(ChangeId::of_index).collect();
    let (links, of_part) = (Arc::clone(&command.by.links), chosen.clone());
    let make = move |conn: &mut _, file: &_| part(conn, file, whole, &of_part, &links);
    let prepared = PreparedPlan::prepare(&command, id, make).await?;
    command
        .run(move |conn, by| {
            let file = files::store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
            let (old, preview) = store::find(conn, id, whole)?.ok_or_else(code::not_found)?;
            old.check_alone(&by.links)?;
            rules::check(conn, by, &old, Step::Split)?;
            old.check_open(&by.links, &file)?;
            old.check_not_returned(&by.links)?;
            old.check_not_expired(by.at, &by.links, &file)?;
            precondition::check_state(&file, FileState::Active, &by.links)?;
            if chosen == own_changes(&preview)? {
                old.check_current(&by.links, &file)?;
                return made::join(by, &file, (old, preview));
            }
            let proposal = prepared.for_state(conn, &file)?;
            // Two reviewers may choose the same changes. One part is enough, and only one could be applied.
            let sent_again = SentAgain::Derivation(old.id);
            let same = store::open_for(conn, &file, &old.author_key, &proposal.sent_sha256, sent_again, by.at)?;
            if let Some(same) = same {
                return made::join(by, &file, same);
            }
            let plan = derived(proposal.plan(new, by), &old, DerivedBy::Split, by);
            let lineage = Json(Lineage { changes: changes.clone(), ..plan.lineage.0.clone() });
            let plan = Plan { lineage, ..plan };
            // An approval is of the whole, so its part waits for one of its own.
            let plan = match old.review {
                Some(Json(review)) => {
                    record(conn, by, &plan, ChangeType::PlanReviewRequested)?;
                    requested(plan, by, review.note)
                }
                None => plan,
            };
            made::store_new(conn, by, &file, (plan, &proposal))
        })
        .await
}

fn part(
    conn: &mut Conn,
    file: &File,
    whole: PlanId,
    chosen: &BTreeSet<usize>,
    links: &FileLinks,
) -> Result<NewPlan, Error> {
    let (whole, preview) = store::find(conn, file.id, whole)?.ok_or_else(code::not_found)?;
    whole.check_current(links, file)?;
    check_ids(&preview, chosen)?;
    let made = of_kind!(file.kind, C => part_as::<C>(conn, file, &whole, chosen)?);
    made.ok_or_else(|| Failure::fault("a plan for a file without content").into())
}

fn part_as<C: Content>(conn: &mut Conn, file: &File, whole: &Plan, chosen: &BTreeSet<usize>) -> Result<NewPlan, Error> {
    let operations_json = store::operations(conn, whole.id)?;
    let operations = operation::stored::<C>(&operations_json)?;
    let retired = retired_part_ids::among_those_of(conn, file.id, &operations_json)?;
    let base = version_store::find(conn, file.id, whole.base_version_id)?;
    let (_, base) = base.ok_or_else(|| Failure::fault("the version that a plan is for is gone"))?;
    let base: C = serde_json::from_str(&base.content).map_err(Failure::from)?;
    let most = OperationLimits { part: EDIT_OPERATIONS, rest: EDIT_OPERATIONS };
    match separate(&base, &operations, &retired, chosen, most)? {
        Separated::Into(separation) => {
            let sent_sha256 = serde_json::to_vec(&separation.part).map_err(Failure::from)?;
            NewPlan::make::<C>(conn, file, &separation.part, hex::encode(Sha256::digest(sent_sha256)))
        }
        Separated::TooMany { part, rest } => {
            let rule = format!(
                "must divide the plan into at most {EDIT_OPERATIONS} and {EDIT_OPERATIONS} operations, \
                 not into {part} and {rest}: choose cells that are next to each other"
            );
            let problem = Problem { at: "/changes".to_owned(), rule };
            Err(Refusal::problems(&code::INVALID_FIELD, vec![problem]).into())
        }
        Separated::Needs(needed) => {
            let problem = |id: ChangeId| Problem { at: "/changes".to_owned(), rule: format!("must have {id} too") };
            let problems = needed.into_iter().map(problem).collect();
            Err(Refusal::problems(&codes::CHANGES_DEPEND, problems).into())
        }
    }
}

/// The changes of a plan that somebody can choose.
fn own_changes(preview: &str) -> Result<BTreeSet<usize>, Failure> {
    let kinds = StoredPreview::kinds(preview)?.into_iter().enumerate();
    Ok(kinds.filter(|(_, kind)| *kind != ChangeKind::Formula).map(|(index, _)| index).collect())
}

/// 422 unless the plan has all of these changes.
fn check_ids(preview: &str, chosen: &BTreeSet<usize>) -> Result<(), Error> {
    let kinds = StoredPreview::kinds(preview)?;
    // The part would have them anyway, so choosing one alone must not look like a choice of nothing.
    let rule = |index: usize| match kinds.get(index) {
        None => Some("is no change of the plan"),
        Some(ChangeKind::Formula) => Some("follows another change, and is not chosen by itself"),
        Some(_) => None,
    };
    let problems: Vec<Problem> = chosen
        .iter()
        .filter_map(|index| Some((ChangeId::of_index(*index), rule(*index)?)))
        .map(|(id, rule)| Problem { at: "/changes".to_owned(), rule: format!("must have no {id}: it {rule}") })
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(Refusal::problems(&code::INVALID_FIELD, problems).into()) }
}
