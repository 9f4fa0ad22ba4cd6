//! Chooses the checkpoint that the witnesses cosign. All processes of the log submit the same one.

use std::time::Duration;

use shared_model::{Error, Timestamp};
use shared_runtime::{Conn, Context};
use trust_log::tlog::SignedCheckpoint;

use super::{
    WitnessedLog, Witnesses,
    store::{self, Submitted},
};

// How long a checkpoint waits for its cosignatures. Longer than a slow witness needs for two requests, so that slow
// witnesses reach the same size. Not longer, so that a witness that is down does not hold up the others.
pub const GIVE_UP_AFTER: Duration = Duration::from_secs(25);

/// The submitted checkpoint. The log's latest checkpoint replaces it if the log has grown. Before that, enough
/// witnesses must have cosigned the submitted one, or [`GIVE_UP_AFTER`] must be over. `None` while the log is empty.
pub async fn current(
    context: &Context,
    witnesses: &Witnesses,
    log: &impl WitnessedLog,
) -> Result<Option<SignedCheckpoint>, Error> {
    let (latest, now) = (log.latest().await?, context.clock.now());
    let find = {
        let (witnesses, latest) = (witnesses.clone(), latest.clone());
        move |conn: &mut Conn| decide(conn, &witnesses, &latest, now)
    };
    // A read first: it runs every second, and mostly there is nothing to write.
    if let Decision::Keep(current) = context.read(find.clone()).await? {
        return Ok(current);
    }
    let submit = move |conn: &mut Conn| match find(conn)? {
        // Decided again inside the write: another process may have submitted a checkpoint since the read.
        Decision::Keep(current) => Ok(current),
        Decision::Replace => {
            store::submit(conn, &latest, now)?;
            Ok(Some(latest.clone()))
        }
    };
    context.write(submit).await
}

enum Decision {
    Keep(Option<SignedCheckpoint>),
    Replace,
}

fn decide(
    conn: &mut Conn,
    witnesses: &Witnesses,
    latest: &SignedCheckpoint,
    now: Timestamp,
) -> Result<Decision, Error> {
    let size = latest.checkpoint().size();
    let Some(Submitted { checkpoint, at }) = store::newest(conn)? else {
        return Ok(if size == 0 { Decision::Keep(None) } else { Decision::Replace });
    };
    let submitted = checkpoint.checkpoint().size();
    let has_grown = size > submitted;
    let mut is_over = || {
        Ok::<_, Error>(now >= at.plus(GIVE_UP_AFTER) || store::count(conn, submitted, witnesses)? >= witnesses.needed)
    };
    Ok(if has_grown && is_over()? { Decision::Replace } else { Decision::Keep(Some(checkpoint)) })
}
