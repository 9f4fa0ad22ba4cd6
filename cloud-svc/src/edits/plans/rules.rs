//! Who may take which step with a plan, beyond the scope that the operation needs: the one table of these rules.

use shared_model::Refusal;
use shared_runtime::identity::{Actor, ActorKind};

use super::plan::Plan;
use crate::{base::codes, workspace::command::ChangeContext};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    RequestReview,
    Approve,
    Reject,
    Discard,
}

/// Who may take a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Author,
    /// Anybody but the author.
    Other,
    /// A person who is not the author.
    OtherPerson,
}

// Applying has no row: everybody with the scope may apply what a person has approved, and `apply` asks the policy of
// the workspace about the rest. A plan that nobody else may discard or send to a review cannot be taken from its author.
pub const RULES: [(Step, Who); 4] = [
    (Step::RequestReview, Who::Author),
    (Step::Approve, Who::OtherPerson),
    (Step::Reject, Who::Other),
    (Step::Discard, Who::Author),
];

/// 403 unless the caller may take this step.
pub fn check(by: &ChangeContext, plan: &Plan, step: Step) -> Result<(), Refusal> {
    allowed(step, &by.author.actor, by.author.is(&plan.actor))
}

fn allowed(step: Step, actor: &Actor, is_author: bool) -> Result<(), Refusal> {
    let who = RULES.iter().find(|(of, _)| *of == step).map(|(_, who)| *who);
    let code = match who {
        Some(Who::Author) if !is_author => &codes::NOT_PLAN_AUTHOR,
        Some(Who::Other | Who::OtherPerson) if is_author => &codes::SELF_APPROVAL,
        // Two agents of one person must not approve each other's plans.
        Some(Who::OtherPerson) if actor.kind != ActorKind::User => &codes::PERSON_REQUIRED,
        _ => return Ok(()),
    };
    Err(code.refusal())
}
