//! A proposal, with its plans as pages show them.

use std::{collections::HashSet, mem};

use maud::{Markup, html};
use shared_model::{Error, Failure};
use shared_runtime::pages::SignedIn;

use crate::{
    base::ids::FileId,
    edits::{
        plans::plan::PlanState,
        proposals::{
            proposal::{OPEN, ProposalState},
            record::ProposalRecord,
        },
    },
    faces::pages::plan::shown_plan::ShownPlan,
    files::file::{FileAnswer, FileState},
};

pub struct ShownProposal {
    /// Without its plans.
    pub record: ProposalRecord,
    /// Without their changes, in the order of their files.
    pub plans: Vec<ShownPlan>,
    /// Whether none of its plans is missing.
    pub is_whole: bool,
    /// Files in the trash. Nobody can decide about their plans, or update them.
    pub trashed: HashSet<FileId>,
}

impl ShownProposal {
    pub async fn read(visit: &SignedIn, record: ProposalRecord) -> Result<Self, Error> {
        let mut proposal = Self::parse(record)?;
        let mut trashed = HashSet::new();
        // A file's move to the trash also makes its plan stale.
        for (_, plan) in proposal.stale() {
            let read = visit.operation("get_file").path(&[&plan.record.file_id.to_string()]).answer();
            match read.await {
                Ok(FileAnswer { file }) if file.state == FileState::Trashed => {
                    trashed.insert(file.id);
                }
                // Gone since the proposal was read: the others are shown all the same.
                Ok(_) | Err(Error::Refused(_)) => {}
                Err(failed) => return Err(failed),
            }
        }
        proposal.trashed = trashed;
        Ok(proposal)
    }

    fn parse(mut record: ProposalRecord) -> Result<Self, Failure> {
        let is_whole = record.is_whole();
        let plans = mem::take(&mut record.plans);
        let plans = plans.into_iter().map(ShownPlan::parse).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { record, plans, is_whole, trashed: HashSet::new() })
    }

    /// Whether nobody has applied, rejected or discarded it. Its time may be over.
    pub fn is_open(&self) -> bool {
        OPEN.contains(&self.record.state)
    }

    /// Whether it can no longer be applied in time, or one of its plans cannot. An update gives all of them new time.
    pub fn is_over(&self) -> bool {
        let mut plans = self.plans.iter();
        self.is_open() && (self.record.expired || plans.any(|plan| plan.record.state == PlanState::Expired))
    }

    /// The plans for files that have changed since, each with its place in the list.
    pub fn stale(&self) -> impl Iterator<Item = (usize, &ShownPlan)> {
        let is_stale = move |(_, plan): &(usize, &ShownPlan)| self.is_open() && plan.record.stale;
        self.plans.iter().enumerate().filter(is_stale)
    }

    /// Whether somebody can approve or apply it now: all its plans are there, in time and not stale.
    pub fn is_current(&self) -> bool {
        self.is_whole && !self.is_over() && self.stale().next().is_none()
    }
}

/// The word for a state. `is_over`: an open proposal can no longer be applied in time.
pub fn state_mark(state: ProposalState, is_over: bool) -> Markup {
    let (class, word) = match state {
        state if is_over && OPEN.contains(&state) => ("expired", text!("Expired")),
        ProposalState::Proposed => (state.as_str(), text!("Proposed")),
        ProposalState::InReview => (state.as_str(), text!("In review")),
        ProposalState::Approved => (state.as_str(), text!("Approved")),
        ProposalState::Rejected => (state.as_str(), text!("Rejected")),
        ProposalState::Discarded => (state.as_str(), text!("Discarded")),
        ProposalState::Applied => (state.as_str(), text!("Applied")),
        ProposalState::Undone => (state.as_str(), text!("Undone")),
    };
    html! { span class=(format!("state {class}")) { (word) } }
}
