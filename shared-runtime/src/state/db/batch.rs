//! Writes that share a transaction.

use shared_model::{Failure, failure::Kind};

use super::{
    conn::Conn,
    idempotency_record, transaction,
    work::{QueuedWork, RunOutcome, is_connection_lost},
};

/// Members of a batch at most: they share the wait for the disk, and each waits for the others.
const MEMBERS: usize = 32;

/// How the members of a batch are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Not at all: if one does not succeed, all must run again.
    Optimistic,
    /// Each has a savepoint, and is undone alone.
    Savepoints,
}

/// Why a transaction is not committed.
pub(super) enum Aborted {
    /// A member did not succeed; it knows why.
    ByMember,
    /// The key of a member's command has a record already.
    ByTakenKey,
    /// A statement failed after members had succeeded.
    ByStatement(Failure),
    /// The connection broke before the commit: nothing is done.
    ConnectionLost(Failure),
    /// The connection broke at the commit: nobody knows whether it is done.
    CommitLost(Failure),
    /// No transaction could begin.
    Entirely(Failure),
}

impl From<diesel::result::Error> for Aborted {
    fn from(error: diesel::result::Error) -> Self {
        let failure = Failure::from(error);
        if is_connection_lost(&failure) { Self::ConnectionLost(failure) } else { Self::ByStatement(failure) }
    }
}

/// One write.
pub(super) struct Member {
    pub(super) work: Box<dyn QueuedWork>,
    /// It met a conflict: it is not to be answered but run again.
    pub(super) has_conflict: bool,
}

impl Member {
    pub(super) fn new(work: Box<dyn QueuedWork>) -> Self {
        Self { work, has_conflict: false }
    }

    fn run(&mut self, conn: &mut Conn) -> Result<(), Aborted> {
        let outcome = self.work.run(conn);
        self.has_conflict = outcome == RunOutcome::Conflict;
        match outcome {
            RunOutcome::Succeeded => Ok(()),
            RunOutcome::ConnectionLost => Err(Aborted::ConnectionLost(Failure::unavailable("the connection broke"))),
            RunOutcome::Failed | RunOutcome::Conflict | RunOutcome::Panicked => Err(Aborted::ByMember),
        }
    }

    /// Runs it in the savepoint that is set, and leaves one for the next.
    fn run_in_savepoint(&mut self, conn: &mut Conn) -> Result<(), Aborted> {
        let kept = self.run(conn).and_then(|()| {
            insert(conn, self.work.idempotency_record().as_slice())?;
            Ok(transaction::keep(conn)?)
        });
        if let Err(aborted) = kept {
            self.take(aborted)?;
            transaction::undo(conn)?;
        }
        Ok(())
    }

    /// Makes it the outcome of this member, if it is nobody else's.
    fn take(&mut self, aborted: Aborted) -> Result<(), Aborted> {
        match aborted {
            Aborted::ByMember => {}
            Aborted::ByTakenKey => self.work.fail_with(Failure::conflict("the key of a command has a row already")),
            Aborted::ByStatement(failure) => {
                self.has_conflict = failure.kind() == Kind::Conflict;
                self.work.fail_with(failure);
            }
            Aborted::ConnectionLost(_) | Aborted::CommitLost(_) | Aborted::Entirely(_) => return Err(aborted),
        }
        Ok(())
    }
}

/// Runs the members in a transaction that begins like this on PostgreSQL, together with those that arrive meanwhile,
/// and commits. After an error nothing is done; a member that is alone has the error as its outcome.
pub(super) fn transact(
    conn: &mut Conn,
    begin: &str,
    members: &mut Vec<Member>,
    style: Style,
    more: &mut impl FnMut() -> Option<Box<dyn QueuedWork>>,
) -> Result<(), Aborted> {
    let Err(aborted) = run(conn, begin, members, style, more) else { return Ok(()) };
    transaction::roll_back(conn);
    match members.as_mut_slice() {
        [only] => only.take(aborted),
        _ => Err(aborted),
    }
}

fn run(
    conn: &mut Conn,
    begin: &str,
    members: &mut Vec<Member>,
    style: Style,
    more: &mut impl FnMut() -> Option<Box<dyn QueuedWork>>,
) -> Result<(), Aborted> {
    transaction::begin(conn, begin).map_err(|error| match error.into() {
        Aborted::ByStatement(failure) => Aborted::Entirely(failure),
        lost => lost,
    })?;
    if style == Style::Savepoints {
        transaction::savepoint(conn)?;
    }
    let mut at = 0;
    while let Some(member) = members.get_mut(at) {
        match style {
            Style::Optimistic => member.run(conn)?,
            Style::Savepoints => member.run_in_savepoint(conn)?,
        }
        at += 1;
        if at < MEMBERS {
            members.extend(more().map(Member::new));
        }
    }
    if style == Style::Optimistic {
        let rows: Vec<_> = members.iter().filter_map(|member| member.work.idempotency_record()).collect();
        insert(conn, &rows)?;
    }
    transaction::commit(conn).map_err(|error| match error.into() {
        // The idempotency record makes a retry safe.
        Aborted::ConnectionLost(failure) => {
            Aborted::CommitLost(Failure::unavailable("the connection broke at the commit").from_source(failure))
        }
        other => other,
    })
}

fn insert(conn: &mut Conn, rows: &[&idempotency_record::IdempotencyRecord]) -> Result<(), Aborted> {
    if rows.is_empty() || idempotency_record::insert(conn, rows)? == rows.len() {
        Ok(())
    } else {
        Err(Aborted::ByTakenKey)
    }
}
