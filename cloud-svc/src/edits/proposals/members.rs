//! The plans of a proposal with their files.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};
use shared_model::{Error, Failure, Refusal, code};
use shared_runtime::Conn;

use super::{proposal::Proposal, store};
use crate::{
    base::{
        ids::{FileId, ProposalId},
        owner::Owner,
    },
    edits::plans::{carry_out::FilePlan, plan::Plan, store as plans},
    files::{self, file::File},
    workspace::{command::ChangeContext, limits},
};

/// A proposal with its plans in the order of their files. Plans of files that are gone are left out.
pub fn find(conn: &mut Conn, owner: Owner, id: ProposalId) -> Result<(Proposal, Vec<FilePlan>), Error> {
    let (proposal, members) = find_as(conn, owner, id, plans::of_proposal, |(plan, _)| plan)?;
    let members = members.into_iter().map(|((plan, preview), file)| FilePlan { plan, preview, file });
    Ok((proposal, members.collect()))
}

/// The plans of a proposal that are not among these: a folder in the trash hides their files.
// When the folder comes back, nobody could decide about a plan whose proposal is over.
pub fn hidden(conn: &mut Conn, id: ProposalId, shown: &[FilePlan]) -> Result<Vec<Plan>, Failure> {
    let mut plans = plans::rows_of_proposal(conn, id)?;
    plans.retain(|plan| !shown.iter().any(|member| member.plan.id == plan.id));
    Ok(plans)
}

/// As [`find`], for a decision: 409 if the plans are not all that the proposal had.
pub fn find_whole(conn: &mut Conn, by: &ChangeContext, id: ProposalId) -> Result<(Proposal, Vec<FilePlan>), Error> {
    let (proposal, members) = find(conn, by.owner(), id)?;
    check_whole(by, &proposal, members.iter().map(|member| &member.plan))?;
    Ok((proposal, members))
}

/// As [`find_whole`], without previews.
pub fn rows_of_whole(
    conn: &mut Conn,
    by: &ChangeContext,
    id: ProposalId,
) -> Result<(Proposal, Vec<(Plan, File)>), Error> {
    let (proposal, members) = find_as(conn, by.owner(), id, plans::rows_of_proposal, |plan| plan)?;
    check_whole(by, &proposal, members.iter().map(|(plan, _)| plan))?;
    Ok((proposal, members))
}

/// A proposal, and what `read` reads of its plans, each with its file.
fn find_as<T>(
    conn: &mut Conn,
    owner: Owner,
    id: ProposalId,
    read: impl Fn(&mut Conn, ProposalId) -> Result<Vec<T>, Failure>,
    plan: impl Fn(&T) -> &Plan,
) -> Result<(Proposal, Vec<(T, File)>), Error> {
    let proposal = store::find(conn, owner.workspace(), id)?.ok_or_else(code::not_found)?;
    let found = read(conn, id)?;
    let ids: Vec<FileId> = found.iter().map(|one| plan(one).file_id).collect();
    // A title and a reason may tell of every file, so an agent sees a proposal only if all files are within its limits.
    let is_narrow = limits::of(conn, owner)?.is_narrow();
    let allowed = limits::allowed(conn, owner, &ids)?;
    if is_narrow && (ids.is_empty() || ids.iter().any(|id| !allowed.contains(id))) {
        return Err(code::not_found().into());
    }
    let visible = files::store::visible(conn, owner, &ids)?;
    let visible: HashMap<FileId, File> = visible.into_iter().map(|file| (file.id, file)).collect();
    let with_file = |one: T| {
        let file = visible.get(&plan(&one).file_id)?.clone();
        Some((one, file))
    };
    Ok((proposal, found.into_iter().filter_map(with_file).collect()))
}

// A file may have been purged, with its plan. What is left is not what was proposed or approved.
fn check_whole<'a>(
    by: &ChangeContext,
    proposal: &Proposal,
    plans: impl Iterator<Item = &'a Plan>,
) -> Result<(), Refusal> {
    if sha256(plans) == proposal.proposal_sha256 {
        return Ok(());
    }
    let message = "A file of the proposal is gone. Discard the proposal, and propose the other plans again.";
    Err(proposal.refusal(message.to_owned(), &by.links))
}

/// SHA-256 over what the plans would write and on what, in hexadecimal digits. The plans are in the order of their
/// files.
pub fn sha256<'a>(plans: impl Iterator<Item = &'a Plan>) -> String {
    // Lines, because none of these values has a line break: two lists of plans never give the same text.
    let mut digest = Sha256::new();
    for Plan { id, file_id, base_version_id, proposal_sha256, .. } in plans {
        digest.update(format!("{file_id} {id} {base_version_id} {proposal_sha256}\n"));
    }
    hex::encode(digest.finalize())
}
