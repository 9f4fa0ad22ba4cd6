//! Rebuilds the index of a workspace while it is used.

use shared_model::Error;
use shared_runtime::{Conn, Context};

use super::{
    build::{self, Built},
    job,
    segments::{self, NewSegment, Segment},
};
use crate::{base::ids::WorkspaceId, files::content_search::entry};

/// Gives each file an entry, and replaces all segments by new ones.
pub async fn rebuild(context: &Context, owner: WorkspaceId) -> Result<(), Error> {
    context.db.write_in(owner.lane(), move |conn| Ok(entry::add_missing(conn, owner)?)).await?;
    let begun = context.clock.now();
    loop {
        let old = context.read(move |conn| {
            let live = segments::live(conn, owner)?;
            // Segments that were made of texts since are new already; merges keep that time.
            Ok(live.into_iter().find(|segment| segment.made_at < begun))
        });
        let Some(old) = old.await? else { break };
        replace(context, owner, old).await?;
    }
    job::keep(context, owner).await
}

/// Rebuilds one segment in parts. If another process has merged it meanwhile, the parts are dropped.
async fn replace(context: &Context, owner: WorkspaceId, old: Segment) -> Result<(), Error> {
    let now = context.clock.now();
    let between =
        move |conn: &mut Conn| Ok(entry::sequences_between(conn, owner, old.first_sequence, old.last_sequence)?);
    let sequences = context.read(between).await?;
    let (mut rest, mut first_sequence, mut parts) = (&sequences[..], old.first_sequence, Vec::new());
    loop {
        let batch = &rest[..rest.len().min(build::ENTRIES)];
        let Built { blocks, entries, done } = build::build(context, owner, batch, first_sequence).await?;
        // The last part ends where the old segment ended, so that there is no gap.
        let is_last = done >= rest.len();
        let last_sequence = if is_last { old.last_sequence } else { rest[done - 1] };
        let new = NewSegment { first_sequence, last_sequence, entries, made_at: now };
        let add = move |conn: &mut Conn| {
            let id = segments::begin(conn, owner, new, now)?;
            segments::add_blocks(conn, id, &blocks)?;
            Ok(id)
        };
        parts.push(context.db.write_in(owner.lane(), add).await?);
        if is_last {
            break;
        }
        (rest, first_sequence) = (&rest[done..], last_sequence + 1);
    }
    // If the segment was merged meanwhile, the loop continues with the merged one.
    let _ = context.db.write_in(owner.lane(), move |conn| segments::publish(conn, owner, (&parts, &[old]))).await?;
    Ok(())
}
