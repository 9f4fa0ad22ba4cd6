//! The row of a proposal.

use diesel::prelude::*;
use shared_model::{Error, NextAction, Refusal, Timestamp, json_column::Json};
use shared_runtime::identity::Actor;

use crate::base::{
    codes,
    ids::{FileId, ProposalId, WorkspaceId},
    links::FileLinks,
    other_state,
    tables::proposals,
};

shared_model::text_enum! {
    /// The state of a proposal, and of its plans.
    pub enum ProposalState {
        Proposed = "proposed",
        InReview = "in_review",
        Approved = "approved",
        Rejected = "rejected",
        Discarded = "discarded",
        Applied = "applied",
        /// All its files have their earlier content again.
        Undone = "undone",
    }
}

/// The states in which a proposal can still be decided about, until it expires.
pub const OPEN: [ProposalState; 3] = [ProposalState::Proposed, ProposalState::InReview, ProposalState::Approved];

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = proposals)]
pub struct Proposal {
    pub id: ProposalId,
    pub workspace_id: WorkspaceId,
    pub title: String,
    pub reason: Option<String>,
    pub actor: Json<Actor>,
    pub state: ProposalState,
    pub proposal_sha256: String,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

/// A refusal that says which of the files it is about.
pub fn of_file(file: FileId, error: Error) -> Error {
    let Error::Refused(refusal) = error else { return error };
    let message = format!("{file}: {}", refusal.message);
    refusal.because(message).into()
}

/// The file that [`of_file`] has put before a message, and the message.
pub fn named_file(message: &str) -> Option<(FileId, &str)> {
    let (file, message) = message.split_once(": ")?;
    Some((file.parse().ok()?, message))
}

impl Proposal {
    pub fn is_open(&self) -> bool {
        OPEN.contains(&self.state)
    }

    /// 409 unless the proposal is in one of these states.
    pub fn check_state(&self, wanted: &[ProposalState], links: &FileLinks) -> Result<(), Refusal> {
        if wanted.contains(&self.state) {
            return Ok(());
        }
        let wanted: Vec<_> = wanted.iter().map(|state| state.as_str()).collect();
        Err(self.refusal(other_state::message("proposal", &wanted, self.state.as_str()), links))
    }

    /// 409 with the rebase that helps, once it has expired.
    pub fn check_not_expired(&self, now: Timestamp, links: &FileLinks) -> Result<(), Refusal> {
        if now < self.expires_at {
            return Ok(());
        }
        let href = links.url(&format!("/v1/proposals/{}/rebase", self.id));
        let refusal = codes::PLAN_EXPIRED.because("The proposal has expired.");
        Err(refusal.next(NextAction::Rebase { href, etag: None }))
    }

    /// What one plan refuses, with the step of the whole proposal that helps.
    pub fn refused_by(&self, file: FileId, links: &FileLinks, error: Error) -> Error {
        let Error::Refused(refusal) = error else { return error };
        let href = links.url(&format!("/v1/proposals/{}", self.id));
        let next = match refusal.code.name {
            name if name == codes::PLAN_STALE.name || name == codes::PLAN_EXPIRED.name => {
                NextAction::Rebase { href: format!("{href}/rebase"), etag: None }
            }
            name if name == codes::APPROVAL_REQUIRED.name && self.state == ProposalState::Proposed => {
                NextAction::RequestReview { href: format!("{href}/request-review") }
            }
            name if name == codes::APPROVAL_REQUIRED.name => NextAction::Refresh { href, etag: None },
            _ => return of_file(file, Error::Refused(refusal)),
        };
        of_file(file, refusal.next(next).into())
    }

    /// A refusal that leads to a fresh look at the proposal.
    pub fn refusal(&self, message: String, links: &FileLinks) -> Refusal {
        let href = links.url(&format!("/v1/proposals/{}", self.id));
        codes::PROPOSAL_STATE.because(message).next(NextAction::Refresh { href, etag: None })
    }
}
