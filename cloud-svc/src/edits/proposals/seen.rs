//! What the caller of a step has seen of a proposal. A rebase or a change may have replaced its plans since.

use shared_model::Refusal;

use super::proposal::Proposal;
use crate::base::{links::FileLinks, sha256_hex::Sha256Hex};

shared_model::json_object! {
    /// The plans of a proposal that the caller has seen.
    #[derive(Clone, Debug)]
    pub struct SeenProposal {
        /// The `proposal_sha256` that you have read. The answer is 409 if the plans are others by now.
        pub proposal_sha256: Sha256Hex,
    }
    example = {"proposal_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"};
}

impl SeenProposal {
    /// 409 unless the proposal has the plans that the caller has seen.
    pub fn check(&self, proposal: &Proposal, links: &FileLinks) -> Result<(), Refusal> {
        if self.proposal_sha256.as_str() == proposal.proposal_sha256 {
            return Ok(());
        }
        let message = "The plans of the proposal have changed since you read it. Read it again.";
        Err(proposal.refusal(message.to_owned(), links))
    }
}
