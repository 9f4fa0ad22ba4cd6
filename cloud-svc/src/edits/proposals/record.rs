//! The record of a proposal for clients.

use serde::{Deserialize, Serialize};
use shared_model::{Failure, Timestamp, json_column::Json};
use shared_runtime::{Answer, identity::Actor};
use utoipa::ToSchema;

use super::{
    members,
    proposal::{Proposal, ProposalState},
};
use crate::{
    base::{ids::ProposalId, links::FileLinks},
    edits::plans::{carry_out::FilePlan, plan::Review, record::PlanRecord},
};

/// Plans for several files that are decided together.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct ProposalRecord {
    pub id: ProposalId,
    /// Untrusted.
    #[schema(max_length = 200, example = "New prices")]
    pub title: String,
    /// Why: untrusted.
    #[schema(required, max_length = 1000, example = "The supplier has raised its prices.")]
    pub reason: Option<String>,
    pub state: ProposalState,
    /// Whether it can no longer be applied, because its time is over.
    pub expired: bool,
    /// In the order of the files, without their `changes`, with `file_name` and `file_type`.
    #[schema(max_items = 50)]
    pub plans: Vec<PlanRecord>,
    /// SHA-256 over the files, the bases and the contents of all plans. An approval is of this.
    /// To approve, apply or rebase the proposal, send what you have seen.
    #[schema(pattern = "^[0-9a-f]{64}$", example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    pub proposal_sha256: String,
    /// Null until somebody requests one.
    #[schema(required)]
    pub review: Option<Review>,
    /// Who put the plans together.
    pub actor: Actor,
    pub created_at: Timestamp,
    /// From then on it cannot be applied.
    pub expires_at: Timestamp,
}

#[derive(Serialize, Deserialize, ToSchema)]
pub struct ProposalDetails {
    pub proposal: ProposalRecord,
    /// Always true: plans quote the content.
    pub content_is_untrusted: bool,
}

impl ProposalRecord {
    pub fn new(proposal: Proposal, members: Vec<FilePlan>, links: &FileLinks, now: Timestamp) -> Result<Self, Failure> {
        // One verdict is on all plans, so any of them has it.
        let review = members.first().and_then(|member| member.plan.review.clone()).map(|Json(review)| review);
        let plans = members.into_iter().map(|FilePlan { plan, preview, file }| {
            let record = PlanRecord::new(plan, &preview, &file, links, now)?;
            Ok(PlanRecord {
                changes: None,
                totals: None,
                file_name: Some(file.name),
                file_type: Some(file.kind),
                ..record
            })
        });
        Ok(Self {
            plans: plans.collect::<Result<_, Failure>>()?,
            expired: proposal.is_open() && now >= proposal.expires_at,
            id: proposal.id,
            title: proposal.title,
            reason: proposal.reason,
            state: proposal.state,
            proposal_sha256: proposal.proposal_sha256,
            review,
            actor: proposal.actor.0,
            created_at: proposal.created_at,
            expires_at: proposal.expires_at,
        })
    }

    /// Whether it shows all its plans. A file may be gone, or hidden by a folder in the trash.
    pub fn is_whole(&self) -> bool {
        let plans = self.plans.iter();
        let shown = plans.map(|plan| (plan.file_id, plan.id, plan.base_version_id, plan.proposal_sha256.as_str()));
        members::sha256_of(shown) == self.proposal_sha256
    }
}

impl ProposalDetails {
    pub fn ok(
        proposal: Proposal,
        members: Vec<FilePlan>,
        links: &FileLinks,
        now: Timestamp,
    ) -> Result<Answer<Self>, Failure> {
        let proposal = ProposalRecord::new(proposal, members, links, now)?;
        Answer::ok(&Self { proposal, content_is_untrusted: true })
    }
}
