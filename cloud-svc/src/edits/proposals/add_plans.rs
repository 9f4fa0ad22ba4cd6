//! Puts plans into a proposal.

use std::{collections::HashSet, time::Duration};

use shared_model::{Error, Problem, Refusal, Timestamp, code, refusal::NextStep};
use shared_runtime::Conn;

use super::{members, proposal::Proposal, store};
use crate::{
    base::{
        ids::{FileId, PlanId},
        limits::{EDIT_PLAN_SECONDS, PROPOSAL_BYTES, PROPOSAL_PLANS},
    },
    edits::plans::{
        carry_out::FilePlan,
        plan::PlanState,
        rules::{self, Step},
        store as plans, verdict,
    },
    files::{self, file::FileState, precondition},
    workspace::command::ChangeContext,
};

shared_model::json_object! {
    /// Names a plan.
    #[derive(Clone, Copy, Debug)]
    pub struct PlanOfFile {
        pub file_id: FileId,
        pub plan_id: PlanId,
    }
    example = {"file_id": "file_12", "plan_id": "plan_0123456789abcdef0123456789abcdef"};
}

/// From now on, until a review is requested.
pub fn end(by: &ChangeContext) -> Timestamp {
    by.at.plus(Duration::from_secs(EDIT_PLAN_SECONDS))
}

/// What to do about a plan that is not there: the URL is right, so it is a mistake of the body.
pub const NO_SUCH_PLAN: NextStep = NextStep::CorrectOne("/plans", "must be plans for files of this workspace");
pub const NO_SUCH_PLAN_TO_ADD: NextStep = NextStep::CorrectOne("/add", "must be plans for files of this workspace");

/// The caller's own plans, which nobody has decided about and which are in no other proposal.
pub fn load(
    conn: &mut Conn,
    by: &ChangeContext,
    named: &[PlanOfFile],
    no_such_plan: NextStep,
) -> Result<Vec<FilePlan>, Error> {
    let missing = || code::not_found().step(no_such_plan);
    let mut loaded = Vec::with_capacity(named.len());
    for PlanOfFile { file_id, plan_id } in named {
        let file = files::store::find(conn, by.owner(), *file_id)?.ok_or_else(missing)?;
        let (plan, preview) = plans::find(conn, *file_id, *plan_id)?.ok_or_else(missing)?;
        rules::check(conn, by, &plan, Step::RequestReview)?;
        plan.check_alone(&by.links)?;
        precondition::check_state(&file, FileState::Active, &by.links)?;
        verdict::check_state(by, &file, &plan, &[PlanState::Proposed])?;
        loaded.push(FilePlan { plan, preview, file });
    }
    Ok(loaded)
}

/// Stores the proposal with just these plans. `added` is the member of the body that adds some; `None` if none does.
pub fn store(
    conn: &mut Conn,
    proposal: Proposal,
    members: Vec<FilePlan>,
    added: Option<&str>,
) -> Result<(Proposal, Vec<FilePlan>), Error> {
    // A rebase can make plans larger. Then they are taken out one by one.
    let most = if added.is_some() { PROPOSAL_BYTES } else { usize::MAX };
    if let Err(rule) = check_size(&members, most) {
        let at = added.unwrap_or("/remove");
        return Err(Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: at.to_owned(), rule }]).into());
    }
    let mut kept = Vec::with_capacity(members.len());
    for FilePlan { plan, preview, file } in members {
        let plan = plans::set_proposal(conn, plan, Some(proposal.id), proposal.expires_at)?;
        kept.push(FilePlan { plan, preview, file });
    }
    // The hash must not depend on the order in which plans are named.
    kept.sort_by_key(|member| (member.plan.file_id, member.plan.id));
    let proposal_sha256 = members::sha256(kept.iter().map(|member| &member.plan));
    Ok((store::update(conn, Proposal { proposal_sha256, ..proposal })?, kept))
}

/// The rule that the plans break, unless there are some, not too many or too large, and one for each file.
// Two plans for one file have the same base, so the second could not be applied after the first.
fn check_size(members: &[FilePlan], most: usize) -> Result<(), String> {
    let bytes: usize = members.iter().map(|member| member.plan.bytes()).sum();
    let rule = if bytes > most {
        format!("must have operations, previews and contents of at most {most} bytes together, have {bytes}")
    } else if members.is_empty() || members.len() > PROPOSAL_PLANS {
        format!("must leave 1 to {PROPOSAL_PLANS} plans, would leave {}", members.len())
    } else {
        let mut files = HashSet::new();
        let Some(twice) = members.iter().find(|member| !files.insert(member.plan.file_id)) else { return Ok(()) };
        format!("must have one plan for each file, has two for {}", twice.plan.file_id)
    };
    Err(rule)
}
