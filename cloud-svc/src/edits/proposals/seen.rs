//! What the caller of a step has seen of a proposal. A rebase or a change may have put other plans there since.

use shared_model::Refusal;

use super::proposal::Proposal;
use crate::base::links::FileLinks;

shared_model::text_type! {
    /// A `proposal_sha256` of a proposal.
    pub struct ProposalSha256 {
        pattern = "^[0-9a-f]{64}$",
        example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        rule = "must be 64 lowercase hexadecimal digits, as the proposal shows them",
        check = |text| text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)),
    }
}

shared_model::json_object! {
    /// The plans of a proposal that the caller has seen.
    #[derive(Clone, Debug)]
    pub struct SeenProposal {
        /// The `proposal_sha256` that you have read. The answer is 409 if the plans are others by now.
        pub proposal_sha256: ProposalSha256,
    }
    example = {"proposal_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"};
}

impl SeenProposal {
    /// 409 unless the proposal has the plans that the caller has seen.
    pub fn check(&self, proposal: &Proposal, links: &FileLinks) -> Result<(), Refusal> {
        if self.proposal_sha256.as_str() == proposal.proposal_sha256 {
            return Ok(());
        }
        let message = "The proposal has other plans than those that you have seen. Read it again.";
        Err(proposal.refusal(message.to_owned(), links))
    }
}
