//! `GET /v1/proposals/{proposal_id}`: reads a proposal in any state.

use shared_model::Error;
use shared_runtime::{Answer, Caller, Context, Path, State};

use super::{members, record::ProposalDetails};
use crate::base::{author::Author, ids::ProposalId, links::FileLinks, owner::Owner, permissions::ReadFiles};

pub async fn read(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(ProposalId,)>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<ProposalDetails>, Error> {
    let (owner, author) = (Owner::of_caller(&caller)?, Author::from_identity(&caller)?);
    // Not `find_whole`: a proposal that lost a file is shown with what is left. A snapshot, because the state of the
    // proposal and those of its plans change together.
    let found = context.read_snapshot(move |conn| members::find(conn, owner, &author, id));
    let (proposal, members) = found.await?;
    Ok(ProposalDetails::ok(proposal, members, &links, context.clock.now())?)
}
