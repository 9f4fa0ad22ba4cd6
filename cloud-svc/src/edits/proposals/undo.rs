//! `POST /v1/proposals/{proposal_id}/undo`: gives all files of an applied proposal their earlier content again.

use shared_model::Error;
use shared_runtime::{Answer, Body, Conn, Path};

use super::{
    members,
    proposal::{Proposal, ProposalState, of_file},
    record::ProposalDetails,
    store,
};
use crate::{
    base::{codes, empty::Empty, ids::ProposalId, permissions::WriteFiles},
    edits::plans::carry_out::FilePlan,
    files::{file::File, versions::restore::bring_back},
    workspace::command::Command,
};

// All or none, as it was applied: 409 if one of the files has changed since.
pub async fn undo(
    command: Command<WriteFiles>,
    Path((id,)): Path<(ProposalId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<ProposalDetails>, Error> {
    command
        .run(move |conn, by| {
            // Also with plans that have expired: what was applied stays undoable while its rows are kept.
            let (proposal, members) = members::find_whole(conn, by, id, &[ProposalState::Applied])?;
            // In the order in which they were applied: the files are different ones.
            let mut undone = Vec::with_capacity(members.len());
            for FilePlan { plan, preview, file } in members {
                // A plan that changed nothing has nothing to undo.
                let Some(applied) = plan.applied_version_id else {
                    undone.push(FilePlan { plan, preview, file });
                    continue;
                };
                let is_seen = |_: &mut Conn, file: &File| {
                    let is_current = file.current_version_id == Some(applied);
                    let message = "The file has changed since the proposal was applied.";
                    let changed = || by.links.refresh(&codes::PLAN_STALE, file).because(message).into();
                    if is_current { Ok(()) } else { Err(changed()) }
                };
                let file = bring_back(conn, by, (file.id, plan.base_version_id), is_seen)
                    .map_err(|error| of_file(file.id, error))?;
                undone.push(FilePlan { plan, preview, file });
            }
            let proposal = store::update(conn, Proposal { state: ProposalState::Undone, ..proposal })?;
            Ok(ProposalDetails::ok(proposal, undone, &by.links, by.at)?)
        })
        .await
}
