//! Which checkpoint the witnesses are asked to cosign: all processes of the log ask for the same one.

use std::time::Duration;

use shared_model::{Error, Timestamp};
use shared_runtime::{Conn, Context};

use super::{
    WitnessedLog, Witnesses,
    store::{self, Submitted},
};
use crate::tlog::SignedCheckpoint;

/// How long a checkpoint is submitted though too few witnesses cosign it: longer than one of them takes to answer, so that
/// slow ones meet on one size, and no longer, so that the others go on.
pub const PATIENCE: Duration = Duration::from_secs(25);

/// The checkpoint that is submitted now: the newest, or the log's latest where the log has grown and enough witnesses have
/// cosigned the newest, or had their time. `None` while the log is empty.
pub async fn current(
    context: &Context,
    witnesses: &Witnesses,
    log: &impl WitnessedLog,
) -> Result<Option<SignedCheckpoint>, Error> {
    let (latest, now) = (log.latest().await?, context.clock.now());
    let find = {
        let (witnesses, latest) = (witnesses.clone(), latest.clone());
        move |conn: &mut Conn| standing(conn, &witnesses, &latest, now)
    };
    if let Standing::Stays(current) = context.read(find.clone()).await? {
        return Ok(current);
    }
    let submit = move |conn: &mut Conn| match find(conn)? {
        // Another process was faster.
        Standing::Stays(current) => Ok(current),
        Standing::GivesWay => {
            store::submit(conn, &latest, now)?;
            Ok(Some(latest.clone()))
        }
    };
    context.write(submit).await
}

/// What becomes of the newest checkpoint.
enum Standing {
    Stays(Option<SignedCheckpoint>),
    GivesWay,
}

fn standing(
    conn: &mut Conn,
    witnesses: &Witnesses,
    latest: &SignedCheckpoint,
    now: Timestamp,
) -> Result<Standing, Error> {
    let size = latest.checkpoint().size();
    let Some(Submitted { checkpoint, at }) = store::newest(conn)? else {
        return Ok(if size == 0 { Standing::Stays(None) } else { Standing::GivesWay });
    };
    let submitted = checkpoint.checkpoint().size();
    let has_grown = size > submitted;
    let mut is_over =
        || Ok::<_, Error>(now >= at.plus(PATIENCE) || store::count(conn, submitted, witnesses)? >= witnesses.needed);
    Ok(if has_grown && is_over()? { Standing::GivesWay } else { Standing::Stays(Some(checkpoint)) })
}
