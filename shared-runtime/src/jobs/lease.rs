//! The lease of a claimed job: its holder writes while the lease is held, or not at all.

use std::{ops::Deref, sync::Arc};

use shared_model::{Error, Failure, Timestamp, failure::Kind};

use super::store::{self, AttemptCount, Job, LeaseToken};
use crate::{
    base::{backoff::Backoff, failpoint},
    context::Context,
    state::db::Conn,
};

/// A claimed job. Its handler ends it with [`Lease::settle`], or fails.
#[derive(Debug)]
pub struct Lease {
    job: Job,
    token: LeaseToken,
}

/// What becomes of a job when its transaction is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It is done and removed.
    Done,
    /// It is due again at this time, with all its attempts.
    Again(Timestamp),
}

/// Proof that the job has ended in the transaction of its last effect. Only [`Lease::settle`] makes one.
#[derive(Debug)]
pub struct Settled(());

/// Why a handler did not settle its job.
#[derive(Debug)]
pub enum Interrupted {
    /// Another worker has taken the job over; nothing was written.
    LeaseLost,
    /// The attempt failed. A refusal is a failure here: no client waits for it.
    Failed(Error),
}

impl From<Error> for Interrupted {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Failure> for Interrupted {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure.into())
    }
}

impl Deref for Lease {
    type Target = Job;
    fn deref(&self) -> &Job {
        &self.job
    }
}

impl Lease {
    pub(super) fn new(job: Job, token: LeaseToken) -> Self {
        Self { job, token }
    }

    /// Runs a transaction if the lease is still held. Waits while the database is away.
    pub async fn write<T: Send + 'static>(
        &self,
        context: &Context,
        transaction: impl Fn(&mut Conn) -> Result<T, Error> + Send + Sync + 'static,
    ) -> Result<T, Interrupted> {
        fenced(context, &self.token, move |conn, _| transaction(conn)).await
    }

    /// Runs the job's last transaction and ends the job in it, if the lease is still held. Waits while the database is away.
    pub async fn settle(
        self,
        context: &Context,
        transaction: impl Fn(&mut Conn) -> Result<End, Error> + Send + Sync + 'static,
    ) -> Result<Settled, Interrupted> {
        end(context, &self.token, transaction).await?;
        failpoint::hang("jobs::settled").await;
        Ok(Settled(()))
    }
}

/// Runs the transaction and ends the job as it says.
pub(super) async fn end(
    context: &Context,
    token: &LeaseToken,
    transaction: impl Fn(&mut Conn) -> Result<End, Error> + Send + Sync + 'static,
) -> Result<(), Interrupted> {
    let ended = fenced(context, token, move |conn, token| {
        match transaction(conn)? {
            End::Done => store::remove(conn, token)?,
            End::Again(at) => store::release(conn, token, at, AttemptCount::Reset)?,
        }
        Ok(())
    });
    ended.await
}

/// Runs a transaction if the lease is held, again and again while the database is away. If a commit's outcome was lost with
/// the connection, the next run finds the lease gone, or repeats a transaction that was not committed.
pub(super) async fn fenced<T: Send + 'static>(
    context: &Context,
    token: &LeaseToken,
    transaction: impl Fn(&mut Conn, &LeaseToken) -> Result<T, Error> + Send + Sync + 'static,
) -> Result<T, Interrupted> {
    let (transaction, mut backoff) = (Arc::new(transaction), Backoff::of_outage());
    loop {
        let (transaction, token) = (Arc::clone(&transaction), token.clone());
        let outcome = context.write(move |conn| match store::is_held(conn, &token)? {
            true => transaction(conn, &token).map(Some),
            false => Ok(None),
        });
        match outcome.await {
            Ok(Some(value)) => return Ok(value),
            Ok(None) => return Err(Interrupted::LeaseLost),
            Err(Error::Failed(failure)) if failure.kind() != Kind::Fault && !context.db.is_closed() => {
                if backoff.is_fresh() && !failure.is_already_logged() {
                    tracing::warn!(%failure, "a job waits for the database");
                }
                tokio::time::sleep(backoff.pause()).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
}
