//! Who may take which step with a plan, beyond the operation's scope: the one table of these rules.

use shared_model::{Error, Refusal};
use shared_runtime::{
    Conn, Permission as _,
    identity::{Actor, ActorKind, Identity},
};

use super::plan::Plan;
use crate::{
    base::{
        codes,
        permissions::{ApproveEdits, ProposeEdits, WriteFiles},
        plan_state::StoredState,
    },
    workspace::{self, command::ChangeContext},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Propose,
    Rebase,
    Split,
    Revise,
    Amend,
    RequestReview,
    Approve,
    Return,
    Reject,
    Discard,
    Apply,
}

/// Who may take a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Anybody,
    /// Agents only as far as the policy of the workspace goes. `apply` checks that.
    AnybodyByPolicy,
    Author,
    /// Anybody but the author. If the plan is approved: a person, or an agent that could approve it.
    Other,
    /// A person who is not the author, and an agent if the workspace lets agents review.
    OtherPerson,
}

#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub step: Step,
    pub scope: &'static str,
    pub who: Who,
}

const fn rule(step: Step, scope: &'static str, who: Who) -> Rule {
    Rule { step, scope, who }
}

// A plan that nobody else may discard or send to a review cannot be taken from its author.
pub const RULES: [Rule; 11] = [
    rule(Step::Propose, ProposeEdits::SCOPE, Who::Anybody),
    rule(Step::Rebase, ProposeEdits::SCOPE, Who::Anybody),
    rule(Step::Split, ProposeEdits::SCOPE, Who::Anybody),
    rule(Step::Revise, ProposeEdits::SCOPE, Who::Author),
    rule(Step::Amend, WriteFiles::SCOPE, Who::Other),
    rule(Step::RequestReview, ProposeEdits::SCOPE, Who::Author),
    rule(Step::Approve, ApproveEdits::SCOPE, Who::OtherPerson),
    rule(Step::Return, ApproveEdits::SCOPE, Who::Other),
    rule(Step::Reject, ApproveEdits::SCOPE, Who::Other),
    rule(Step::Discard, ProposeEdits::SCOPE, Who::Author),
    rule(Step::Apply, WriteFiles::SCOPE, Who::AnybodyByPolicy),
];

impl Step {
    fn who(self) -> Who {
        RULES.iter().find(|rule| rule.step == self).map_or(Who::Author, |rule| rule.who)
    }

    /// For people, in the reference.
    pub fn title(self) -> &'static str {
        match self {
            Self::Propose => "propose edits",
            Self::Rebase => "rebase a plan",
            Self::Split => "split it",
            Self::Revise => "revise it",
            Self::Amend => "amend it",
            Self::RequestReview => "ask for its review",
            Self::Approve => "approve it",
            Self::Return => "return it",
            Self::Reject => "reject it",
            Self::Discard => "discard it",
            Self::Apply => "apply it",
        }
    }
}

impl Who {
    /// For people, in the reference.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Anybody => "everybody",
            Self::AnybodyByPolicy => "people and services; agents as `agent_writes` of the workspace says",
            Self::Author => "the author of the edits",
            Self::Other => {
                "everybody but the author; if it is approved, only a person, or an agent that could approve it"
            }
            Self::OtherPerson => {
                "a person who is not the author; with `agents_may_review` also an agent, unless the author is its \
                 owner or another agent of its owner"
            }
        }
    }
}

/// 403 unless the caller may take this step.
pub fn check(conn: &mut Conn, by: &ChangeContext, plan: &Plan, step: Step) -> Result<(), Error> {
    let who = match step.who() {
        // Each of these steps ends the approval. A kind of actor that cannot give one cannot end one.
        Who::Other if plan.state == StoredState::Approved => Who::OtherPerson,
        who => who,
    };
    allowed(who, &by.author.actor, plan.is_by(&by.author))?;
    if who == Who::OtherPerson && by.author.actor.kind == ActorKind::Agent {
        // A person and their agents are one side, whatever the policy is: otherwise Ada's agent would approve her plans.
        if plan.is_of(&by.author.subject) || !workspace::store::agents_may_review(conn, by.workspace())? {
            return Err(codes::PERSON_REQUIRED.refusal().into());
        }
    }
    Ok(())
}

// Services act for themselves, and no policy lets them approve.
fn allowed(who: Who, actor: &Actor, is_author: bool) -> Result<(), Refusal> {
    match who {
        Who::Author if !is_author => Err(codes::NOT_PLAN_AUTHOR.refusal()),
        Who::Other | Who::OtherPerson if is_author => Err(codes::SELF_APPROVAL.refusal()),
        Who::OtherPerson if actor.kind == ActorKind::Service => Err(codes::PERSON_REQUIRED.refusal()),
        _ => Ok(()),
    }
}

/// Whether the caller may decide about plans in review, by others or by the caller.
pub fn may_decide(identity: &Identity, actor: &Actor, is_author: bool) -> bool {
    let has_scope = |rule: &Rule| identity.scopes.iter().any(|scope| scope == rule.scope);
    let decides = RULES.iter().filter(|rule| matches!(rule.step, Step::Approve | Step::Reject));
    decides.filter(|rule| has_scope(rule)).any(|rule| allowed(rule.who, actor, is_author).is_ok())
}
