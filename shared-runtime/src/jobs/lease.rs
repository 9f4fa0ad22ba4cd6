//! The lease of a claimed job: only while it is held can its holder write.

use std::{ops::Deref, sync::Arc};

use shared_model::{Error, Failure, Timestamp, failure::Kind};

use super::store::{self, AttemptCount, Job, LeaseToken};
use crate::{
    base::{backoff::Backoff, failpoint},
    context::Context,
    state::db::Conn,
};

/// A claimed job. The handler ends it with [`Lease::settle`], or fails.
#[derive(Debug)]
pub struct Lease {
    job: Job,
    token: LeaseToken,
}

/// What happens to the job at the commit of its last transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobEnd {
    Done,
    /// It is due again at this time, with all its attempts.
    Again(Timestamp),
}

/// Proof that the job ended in the transaction of its last effect. Only [`Lease::settle`] makes one.
#[derive(Debug)]
pub struct Settlement(());

/// Why an attempt did not settle its job.
#[derive(Debug)]
pub enum AttemptError {
    /// Another worker has the job; nothing was written.
    LeaseLost,
    /// The attempt failed. A refusal counts as a failure, because no client waits for it.
    Failed(Error),
}

impl From<Error> for AttemptError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Failure> for AttemptError {
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

    /// Runs a transaction if the lease is held; waits while the database is away. It may be committed twice, when the
    /// answer to a commit is lost: it must set values, not add.
    pub async fn write<T: Send + 'static>(
        &self,
        context: &Context,
        transaction: impl Fn(&mut Conn) -> Result<T, Error> + Send + Sync + 'static,
    ) -> Result<T, AttemptError> {
        fenced(context, &self.token, move |conn, _| transaction(conn)).await
    }

    /// Runs the job's last transaction and ends the job in it, if the lease is held; waits while the database is
    /// away.
    pub async fn settle(
        self,
        context: &Context,
        transaction: impl Fn(&mut Conn) -> Result<JobEnd, Error> + Send + Sync + 'static,
    ) -> Result<Settlement, AttemptError> {
        end(context, &self.token, transaction).await?;
        // Tests kill the process here: the effect is committed, and nobody has seen it yet.
        failpoint::hang("jobs::settled").await;
        Ok(Settlement(()))
    }
}

pub(super) async fn end(
    context: &Context,
    token: &LeaseToken,
    transaction: impl Fn(&mut Conn) -> Result<JobEnd, Error> + Send + Sync + 'static,
) -> Result<(), AttemptError> {
    let ended = fenced(context, token, move |conn, token| {
        match transaction(conn)? {
            JobEnd::Done => store::remove(conn, token)?,
            JobEnd::Again(at) => store::release(conn, token, at, AttemptCount::Reset)?,
        }
        Ok(())
    });
    ended.await
}

/// Runs a transaction in the lane of the job, or alone if its kind has none.
pub(super) async fn write<T: Send + 'static>(
    context: &Context,
    token: &LeaseToken,
    transaction: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    match token.lane {
        Some(lane) => context.db.write_in(lane, transaction).await,
        None => context.write(transaction).await,
    }
}

/// Runs a transaction if the lease is held, and repeats it while the database is away.
pub(super) async fn fenced<T: Send + 'static>(
    context: &Context,
    token: &LeaseToken,
    transaction: impl Fn(&mut Conn, &LeaseToken) -> Result<T, Error> + Send + Sync + 'static,
) -> Result<T, AttemptError> {
    let (transaction, mut backoff) = (Arc::new(transaction), Backoff::for_outage());
    loop {
        let (transaction, held) = (Arc::clone(&transaction), token.clone());
        // Safe to repeat for a transaction that ends the lease. If a commit succeeded and only its answer was lost, the
        // lease is gone. The next run writes nothing.
        let outcome = write(context, token, move |conn| match store::is_held(conn, &held)? {
            true => transaction(conn, &held).map(Some),
            false => Ok(None),
        });
        match outcome.await {
            Ok(Some(value)) => return Ok(value),
            Ok(None) => return Err(AttemptError::LeaseLost),
            Err(Error::Failed(failure)) if failure.kind() != Kind::Fault && !context.db.is_closed() => {
                if backoff.is_fresh() && !failure.is_already_logged() {
                    tracing::warn!(%failure, "a job is waiting for the database");
                }
                tokio::time::sleep(backoff.pause()).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
}
