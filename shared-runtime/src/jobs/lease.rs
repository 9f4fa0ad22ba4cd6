//! The right to do a job: all that its holder writes happens while it is held, or not at all.

use std::{ops::Deref, sync::Arc};

use super::{
    End, Job, Patience, rehearsal,
    store::{self, Charge, Hold},
};
use crate::{Conn, Desk, Failure, Halt, failure::Kind};

/// A claimed job. Whoever runs it ends it with [`Lease::settle`], or fails.
#[derive(Debug)]
pub struct Lease {
    job: Job,
    hold: Hold,
}

/// The job has ended in the transaction of its last effect. Only [`Lease::settle`] makes one.
#[derive(Debug)]
pub struct Settled(());

/// Why a handler did not settle its job.
#[derive(Debug)]
pub enum Interrupted {
    /// Somebody else has taken the job over; nothing was written.
    LeaseLost,
    /// The attempt failed. A refusal is a failure here: there is nobody to tell it.
    Halted(Halt),
}

impl From<Halt> for Interrupted {
    fn from(halt: Halt) -> Self {
        Self::Halted(halt)
    }
}

impl From<Failure> for Interrupted {
    fn from(failure: Failure) -> Self {
        Self::Halted(failure.into())
    }
}

impl Deref for Lease {
    type Target = Job;
    fn deref(&self) -> &Job {
        &self.job
    }
}

impl Lease {
    pub(super) fn new(job: Job, hold: Hold) -> Self {
        Self { job, hold }
    }

    /// Runs a deed if the job is still ours. Waits while the database is away.
    pub async fn write<T: Send + 'static>(
        &self,
        desk: &Desk,
        deed: impl Fn(&mut Conn) -> Result<T, Halt> + Send + Sync + 'static,
    ) -> Result<T, Interrupted> {
        fenced(desk, &self.hold, move |conn, _| deed(conn)).await
    }

    /// Ends the job with a deed, in one transaction, if the job is still ours. Waits while the database is away.
    pub async fn settle(
        self,
        desk: &Desk,
        deed: impl Fn(&mut Conn) -> Result<End, Halt> + Send + Sync + 'static,
    ) -> Result<Settled, Interrupted> {
        end(desk, &self.hold, deed).await?;
        rehearsal::hang_at("settled").await;
        Ok(Settled(()))
    }
}

/// Runs the deed and ends the job as it says.
pub(super) async fn end(
    desk: &Desk,
    hold: &Hold,
    deed: impl Fn(&mut Conn) -> Result<End, Halt> + Send + Sync + 'static,
) -> Result<(), Interrupted> {
    let ended = fenced(desk, hold, move |conn, hold| {
        match deed(conn)? {
            End::Done => store::remove(conn, hold)?,
            End::Again(at) => store::release(conn, hold, at, Charge::None)?,
        }
        Ok(())
    });
    ended.await
}

/// Runs a deed while the lease is held, again and again while the database is away. A commit whose outcome was lost with the
/// connection is then found to have removed the lease, or is done again.
pub(super) async fn fenced<T: Send + 'static>(
    desk: &Desk,
    hold: &Hold,
    deed: impl Fn(&mut Conn, &Hold) -> Result<T, Halt> + Send + Sync + 'static,
) -> Result<T, Interrupted> {
    let (deed, mut patience) = (Arc::new(deed), Patience::default());
    loop {
        let (deed, hold) = (Arc::clone(&deed), hold.clone());
        let outcome = desk.write(move |conn| match store::is_held(conn, &hold)? {
            true => deed(conn, &hold).map(Some),
            false => Ok(None),
        });
        match outcome.await {
            Ok(Some(value)) => return Ok(value),
            Ok(None) => return Err(Interrupted::LeaseLost),
            Err(Halt::Failed(failure)) if failure.kind() != Kind::Fault && !desk.db.is_closed() => {
                if patience.is_fresh() {
                    tracing::warn!(%failure, "a job waits for the database");
                }
                tokio::time::sleep(patience.pause()).await;
            }
            Err(halt) => return Err(halt.into()),
        }
    }
}
