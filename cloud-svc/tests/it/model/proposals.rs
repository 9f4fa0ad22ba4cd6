//! Proposals: plans for several files that are decided together. Who sees them, and what prevents a step.

use serde_json::{Value, json};
use shared_testing::histories::Command;

use super::{
    Cloud, Turn,
    actors::{Refused, Scope, actor},
    hashes::Hashes,
    plans::Plan,
};

#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    pub id: String,
    pub title: String,
    pub author: &'static str,
    pub state: &'static str,
    /// The number of plans that it is to have: one that is purged is missed.
    pub size: usize,
    pub hashes: Hashes,
}

pub const OPEN: [&str; 3] = ["proposed", "in_review", "approved"];

impl Cloud {
    /// The plans in the order of their files.
    pub fn members(&self, id: &str) -> Vec<Plan> {
        let own = |file: &super::tree::File| {
            self.plans.iter().find(|plan| plan.file == file.id && plan.proposal.as_deref() == Some(id))
        };
        self.files.iter().filter_map(own).cloned().collect()
    }

    fn proposal(&self, id: &str) -> &Proposal {
        self.proposals.iter().find(|proposal| proposal.id == id).expect("a proposal")
    }

    pub fn proposal_mut(&mut self, id: &str) -> &mut Proposal {
        self.proposals.iter_mut().find(|proposal| proposal.id == id).expect("a proposal")
    }

    pub fn proposal_answer(&self, who: &str, id: &str) -> Value {
        let Proposal { title, state, author, hashes, .. } = self.proposal(id);
        let members = self.members(id);
        let seen = members.iter().filter(|plan| self.sees(who, &plan.file));
        let plans: Vec<_> = seen.map(|plan| plan.record(self.get(&plan.file).expect("a file"))).collect();
        let record = json!({
            "id": id, "title": title, "state": state, "plans": plans, "actor": {"id": actor(author)},
            "proposal_sha256": hashes.now(),
        });
        json!({"proposal": record})
    }

    /// Notes the hash of the plans that a proposal has now.
    pub fn hash_plans(&mut self, id: &str, n: &str) {
        let plans = self.members(id).into_iter().map(|plan| plan.id).collect();
        self.proposal_mut(id).hashes.set(plans, n);
    }

    /// The proposal of a step, and why it is refused as a whole.
    pub fn together(
        &self,
        who: &str,
        scope: Scope,
        id: &str,
        states: &[&str],
    ) -> Result<(Proposal, Vec<Plan>, Refused), Refused> {
        self.may(who, scope)?;
        let found = self.proposals.iter().find(|proposal| proposal.id == id && who != "stranger");
        let proposal = found.ok_or_else(|| vec!["not_found"])?.clone();
        let members = self.members(id);
        let is_narrow = who == "limited" && (self.limits.folders.is_some() || self.limits.types.is_some());
        let (is_whole, is_own) = (members.len() == proposal.size, actor(who) == actor(proposal.author));
        if is_narrow && !((is_whole || is_own) && members.iter().all(|plan| self.is_within(who, &plan.file))) {
            return Err(vec!["not_found"]);
        }
        let visible: Vec<Plan> = members.into_iter().filter(|plan| self.sees(who, &plan.file)).collect();
        let mut refusals = Vec::new();
        if !states.contains(&proposal.state) {
            refusals.push("proposal_state");
        }
        Ok((proposal, visible, refusals))
    }

    /// The plans of the proposal that are not among these, because of a folder in the trash.
    pub fn hidden(&self, id: &str, shown: &[Plan]) -> Vec<Plan> {
        let mut members = self.members(id);
        members.retain(|plan| !shown.contains(plan));
        members
    }

    /// Why plans cannot be decided about, because of the files or because one is gone.
    pub fn not_whole(&self, proposal: &Proposal, members: &[Plan]) -> Refused {
        let is_trashed = |plan: &Plan| self.get(&plan.file).is_some_and(|file| file.is_trashed);
        let mut refusals = Vec::new();
        if members.len() != proposal.size {
            refusals.push("proposal_state");
        }
        if members.iter().any(is_trashed) {
            refusals.push("file_trashed");
        }
        refusals
    }

    /// Why a plan cannot be put into a proposal.
    pub fn cannot_join(&self, who: &str, plan: &Plan) -> Refused {
        let mut refusals = plan.closed();
        if !self.sees(who, &plan.file) {
            refusals.push("not_found");
        }
        if !plan.is_by(who) {
            refusals.push("not_plan_author");
        }
        if plan.proposal.is_some() || plan.is_open() && plan.state != "proposed" {
            refusals.push("plan_state");
        }
        if self.get(&plan.file).is_none_or(|file| file.is_trashed) {
            refusals.push("file_trashed");
        }
        refusals
    }
}

pub fn any(turn: &mut Turn<'_>, wanted: &[&str]) -> Option<Proposal> {
    let recent = turn.cloud.proposals.iter().rev().take(8);
    let fitting = recent.clone().filter(|proposal| wanted.contains(&proposal.state));
    let fitting = if turn.dice.percent(85) { turn.dice.pick(fitting, |proposal| &proposal.id) } else { None };
    fitting.or_else(|| turn.dice.pick(recent, |proposal| &proposal.id)).cloned()
}

pub fn get(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, id) = (turn.anyone(), any(turn, &OPEN)?.id);
    let command = Command::get("get_proposal", who, format!("/v1/proposals/{id}"));
    Some(command.tool("get_proposal", json!({"proposal_id": id})).does(move |cloud: &mut Cloud, _| {
        let every = ["proposed", "in_review", "approved", "rejected", "discarded", "applied", "undone"];
        cloud.together(who, Scope::Read, &id, &every)?;
        Ok::<_, Refused>(cloud.proposal_answer(who, &id))
    }))
}

pub fn list(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let who = turn.dice.of_these(&["ada", "bob", "robot", "reader", "stranger"]);
    Some(Command::get("list_proposals", who, "/v1/proposals?limit=100").does(move |cloud: &mut Cloud, seen| {
        let all = cloud.proposals.iter().filter(|_| who != "stranger");
        let all: Vec<&str> = all.map(|proposal| proposal.id.as_str()).collect();
        // Proposals of one second have no order among them.
        Ok::<_, Refused>(json!({"items": seen.listed("items", &all, 100)}))
    }))
}
