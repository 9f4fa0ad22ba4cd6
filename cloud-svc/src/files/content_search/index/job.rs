//! The job that keeps the index of a workspace: new entries become segments, and many segments become few.

use std::time::Duration;

use shared_model::{Error, Failure};
use shared_runtime::{
    Context,
    jobs::{AttemptError, JobEnd, JobKind, Lease, Settlement},
};

use super::{build, merge, segments, tiers};
use crate::{
    base::ids::WorkspaceId,
    files::{content_search::entry, search_entries::JOB_KIND},
};

// A search needs no index, so nothing is lost while the job rests.
const REST: Duration = Duration::from_secs(300);

pub fn kind() -> JobKind {
    let kind = JobKind::new(JOB_KIND, run, |_, _, now| Ok(JobEnd::Again(now.plus(REST))));
    // The commands that write entries and enqueue the job are in this lane too, so `run` sees them all when it settles.
    kind.lane(|key| owner(key).ok().map(WorkspaceId::lane))
}

async fn run(context: Context, lease: Lease) -> Result<Settlement, AttemptError> {
    let owner = owner(&lease.key)?;
    keep(&context, owner).await?;
    let now = context.clock.now();
    lease
        .settle(&context, move |conn| {
            // An entry that was written since has not enqueued another job.
            let last = segments::last_sequence(conn, owner)?;
            let is_done = entry::sequences_after(conn, owner, last, 1)?.is_empty();
            Ok(if is_done { JobEnd::Done } else { JobEnd::Again(now) })
        })
        .await
}

fn owner(key: &str) -> Result<WorkspaceId, Failure> {
    key.parse().map(WorkspaceId::from_number).map_err(|_| Failure::fault("the key of a job is not a workspace"))
}

/// Indexes all new entries of a workspace, and merges segments. Safe to run in several processes.
pub async fn keep(context: &Context, owner: WorkspaceId) -> Result<(), Error> {
    merge::clean(context, owner).await?;
    while build::build_next(context, owner).await? {
        merge_all(context, owner).await?;
    }
    merge_all(context, owner).await?;
    merge::clean(context, owner).await
}

async fn merge_all(context: &Context, owner: WorkspaceId) -> Result<(), Error> {
    let mut has_merged = false;
    loop {
        let live = context.read(move |conn| Ok(segments::live(conn, owner)?)).await?;
        let entries: Vec<i64> = live.iter().map(|segment| segment.entries).collect();
        let Some(range) = tiers::to_merge(&entries) else { break };
        // Another process has merged them already.
        if merge::merge(context, owner, live[range].to_vec()).await?.is_ok() {
            has_merged = true;
        }
    }
    if has_merged { drop_old(context, owner).await } else { Ok(()) }
}

/// Rewrites segments whose entries have mostly been written again since.
async fn drop_old(context: &Context, owner: WorkspaceId) -> Result<(), Error> {
    let mostly_old = context.read(move |conn| {
        let mut found = Vec::new();
        for segment in segments::live(conn, owner)? {
            let alive = entry::count_between(conn, owner, segment.first_sequence, segment.last_sequence)?;
            if alive * 2 < segment.entries {
                found.push(segment);
            }
        }
        Ok(found)
    });
    for segment in mostly_old.await? {
        // If another process was faster, the next merge looks again.
        let _ = merge::merge(context, owner, vec![segment]).await?;
    }
    Ok(())
}
