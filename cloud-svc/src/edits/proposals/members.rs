//! The plans of a proposal with their files.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};
use shared_model::{Error, Failure, Refusal, code};
use shared_runtime::{Conn, http::list::Position};

use super::{
    proposal::{Proposal, ProposalState},
    store,
};
use crate::{
    base::{
        author::Author,
        ids::{FileId, PlanId, ProposalId, VersionId},
        owner::Owner,
    },
    edits::plans::{carry_out::FilePlan, plan::Plan, store as plans},
    files::{self, file::File},
    workspace::{command::ChangeContext, limits},
};

/// A proposal with its plans in the order of their files. Plans of files that are gone are left out.
pub fn find(
    conn: &mut Conn,
    owner: Owner,
    caller: &Author,
    id: ProposalId,
) -> Result<(Proposal, Vec<FilePlan>), Error> {
    let (proposal, members) = find_as(conn, owner, caller, id, plans::of_proposal, |(plan, _)| plan)?;
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

/// As [`find`], for a step that needs one of these states and all plans: 409 otherwise.
pub fn find_whole(
    conn: &mut Conn,
    by: &ChangeContext,
    id: ProposalId,
    states: &[ProposalState],
) -> Result<(Proposal, Vec<FilePlan>), Error> {
    let (proposal, members) = find(conn, by.owner(), &by.author, id)?;
    proposal.check_state(states, &by.links)?;
    check_whole(by, &proposal, members.iter().map(|member| &member.plan))?;
    Ok((proposal, members))
}

/// As [`find_whole`], without previews.
pub fn rows_of_whole(
    conn: &mut Conn,
    by: &ChangeContext,
    id: ProposalId,
    states: &[ProposalState],
) -> Result<(Proposal, Vec<(Plan, File)>), Error> {
    let (proposal, members) = find_as(conn, by.owner(), &by.author, id, plans::rows_of_proposal, |plan| plan)?;
    proposal.check_state(states, &by.links)?;
    check_whole(by, &proposal, members.iter().map(|(plan, _)| plan))?;
    Ok((proposal, members))
}

/// Whether the caller sees a proposal. Reads no previews, which may be megabytes.
pub fn is_seen(conn: &mut Conn, owner: Owner, caller: &Author, id: ProposalId) -> Result<bool, Error> {
    match find_as(conn, owner, caller, id, plans::rows_of_proposal, |plan| plan) {
        Ok(_) => Ok(true),
        Err(Error::Refused(_)) => Ok(false),
        Err(failed) => Err(failed),
    }
}

/// A proposal, and what `read` reads of its plans, each with its file.
fn find_as<T>(
    conn: &mut Conn,
    owner: Owner,
    caller: &Author,
    id: ProposalId,
    read: impl Fn(&mut Conn, ProposalId) -> Result<Vec<T>, Failure>,
    plan: impl Fn(&T) -> &Plan,
) -> Result<(Proposal, Vec<(T, File)>), Error> {
    let proposal = store::find(conn, owner.workspace(), id)?.ok_or_else(code::not_found)?;
    let found = read(conn, id)?;
    let ids: Vec<FileId> = found.iter().map(|one| plan(one).file_id).collect();
    // A title and a reason may tell about every file. So an agent sees a proposal only if its limits have all files.
    let is_narrow = limits::of(conn, owner)?.is_narrow();
    let allowed = limits::allowed(conn, owner, &ids)?;
    let is_within = ids.iter().all(|id| allowed.contains(id));
    if is_narrow && !(is_within && may_be_shown(&proposal, caller, found.iter().map(&plan))) {
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

/// Proposals of the workspace, newest first: up to `rows` of those that [`find`] finds.
pub fn list(
    conn: &mut Conn,
    owner: Owner,
    caller: &Author,
    state: Option<ProposalState>,
    start: Position<ProposalId>,
    rows: i64,
) -> Result<Vec<Proposal>, Failure> {
    let mut found = store::list(conn, owner, state, start, rows)?;
    if !limits::of(conn, owner)?.is_narrow() {
        return Ok(found);
    }
    let wanted = usize::try_from(rows).unwrap_or_default();
    let mut listed = Vec::new();
    // A short page would look like the last one.
    loop {
        let last = found.last().filter(|_| found.len() == wanted);
        let next = last.map(|last| Position::after(last.created_at, last.id));
        listed.extend(shown(conn, caller, found)?);
        let Some(next) = next.filter(|_| listed.len() < wanted) else { break };
        found = store::list(conn, owner, state, next, rows)?;
    }
    listed.truncate(wanted);
    Ok(listed)
}

/// Those that a caller with limits may see, of proposals whose plans are all within the limits.
fn shown(conn: &mut Conn, caller: &Author, mut proposals: Vec<Proposal>) -> Result<Vec<Proposal>, Failure> {
    let ids: Vec<ProposalId> = proposals.iter().map(|proposal| proposal.id).collect();
    let plans = plans::rows_of_proposals(conn, &ids)?;
    proposals.retain(|proposal| {
        let own = plans.iter().filter(|plan| plan.proposal_id == Some(proposal.id));
        may_be_shown(proposal, caller, own)
    });
    Ok(proposals)
}

/// Whether a caller with limits may see a proposal whose plans are all within the limits.
// A file that is gone counts as outside: nobody knows anymore where it was. The author knows what the proposal says,
// and must be able to end it.
fn may_be_shown<'a>(proposal: &Proposal, caller: &Author, plans: impl Iterator<Item = &'a Plan>) -> bool {
    caller.is(&proposal.actor) || is_whole(proposal, plans)
}

// A file may have been purged, with its plan.
fn is_whole<'a>(proposal: &Proposal, plans: impl Iterator<Item = &'a Plan>) -> bool {
    sha256(plans) == proposal.proposal_sha256
}

/// 409 if these are not all plans of the proposal: what is left is not what was proposed or approved.
pub fn check_whole<'a>(
    by: &ChangeContext,
    proposal: &Proposal,
    plans: impl Iterator<Item = &'a Plan>,
) -> Result<(), Refusal> {
    if is_whole(proposal, plans) {
        return Ok(());
    }
    let message = if proposal.is_open() {
        "A file of the proposal is gone. Discard the proposal, and propose the other plans again."
    } else {
        "A file of the proposal is gone. Restore the earlier versions of the other files one by one."
    };
    Err(proposal.refusal(message.to_owned(), &by.links))
}

/// SHA-256 over what the plans would write and on what, in hexadecimal digits. The plans are in the order of their
/// files.
pub fn sha256<'a>(plans: impl Iterator<Item = &'a Plan>) -> String {
    sha256_of(plans.map(|plan| (plan.file_id, plan.id, plan.base_version_id, plan.proposal_sha256.as_str())))
}

/// The same hash, from the file, id, base and content hash of each plan.
pub fn sha256_of<'a>(plans: impl Iterator<Item = (FileId, PlanId, VersionId, &'a str)>) -> String {
    // Lines, because none of these values has a line break: two lists of plans never give the same text.
    let mut digest = Sha256::new();
    for (file_id, id, base_version_id, proposal_sha256) in plans {
        digest.update(format!("{file_id} {id} {base_version_id} {proposal_sha256}\n"));
    }
    hex::encode(digest.finalize())
}
