//! `GET /v1/proposals/{proposal_id}`: reads a proposal in any state.

use shared_model::Error;
use shared_runtime::{Answer, Caller, Context, Path, State};

use super::{members, record::ProposalDetails};
use crate::base::{ids::ProposalId, links::FileLinks, owner::Owner, permissions::ReadFiles};

pub async fn read(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(ProposalId,)>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<ProposalDetails>, Error> {
    let owner = Owner::of_caller(&caller)?;
    // Not `find_whole`: a proposal that lost a file is shown with what is left.
    let (proposal, members) = context.read(move |conn| members::find(conn, owner, id)).await?;
    Ok(ProposalDetails::ok(proposal, members, &links, context.clock.now())?)
}
