//! Writes that share one transaction.

use shared_model::{Failure, failure::Kind};

use crate::state::db::{
    connection::{conn::Conn, transaction},
    work::{
        appended, idempotency_record,
        notifications::{self, Notifications},
        queued_work::{QueuedWork, RunOutcome, is_connection_lost},
    },
};

// All members wait for one fsync together, but each also waits for the statements of the others.
const MAX_MEMBERS: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without savepoints: when one member fails, all run again.
    Optimistic,
    /// Each member has a savepoint and is rolled back alone.
    Savepoints,
}

pub enum Abort {
    /// A member was refused, failed or panicked; its work holds the reason.
    MemberFailed,
    /// The idempotency key of a member already has a record.
    KeyTaken,
    /// A statement of the batch itself failed.
    StatementFailed(Failure),
    /// The connection broke before the commit: nothing is done.
    ConnectionLost(Failure),
    /// The connection broke during the commit: nobody knows whether it is done.
    CommitLost(Failure),
    BeginFailed(Failure),
}

impl From<diesel::result::Error> for Abort {
    fn from(error: diesel::result::Error) -> Self {
        Failure::from(error).into()
    }
}

impl From<Failure> for Abort {
    fn from(failure: Failure) -> Self {
        if is_connection_lost(&failure) { Self::ConnectionLost(failure) } else { Self::StatementFailed(failure) }
    }
}

pub struct Member {
    pub work: Box<QueuedWork>,
    /// It met a conflict and must run again before it is answered.
    pub has_conflict: bool,
}

impl Member {
    pub fn new(work: Box<QueuedWork>) -> Self {
        Self { work, has_conflict: false }
    }

    fn run(&mut self, conn: &mut Conn) -> Result<(), Abort> {
        let earlier = if self.work.is_command() { Notifications::default() } else { insert_appended(conn)? };
        let outcome = self.work.run(conn);
        self.work.send_more(earlier);
        self.has_conflict = outcome == RunOutcome::Conflict;
        match outcome {
            RunOutcome::Succeeded => Ok(()),
            RunOutcome::ConnectionLost => Err(Abort::ConnectionLost(Failure::unavailable("the connection broke"))),
            RunOutcome::Failed | RunOutcome::Conflict | RunOutcome::Panicked => Err(Abort::MemberFailed),
        }
    }

    // The savepoint is set already. This releases it and sets the one for the next member.
    fn run_in_savepoint(&mut self, conn: &mut Conn) -> Result<(), Abort> {
        let kept = self.run(conn).and_then(|()| {
            self.insert_appended(conn)?;
            insert(conn, self.work.idempotency_record().as_slice())?;
            Ok(transaction::release_savepoint(conn)?)
        });
        if let Err(aborted) = kept {
            self.take(aborted)?;
            appended::clear();
            transaction::roll_back_to_savepoint(conn)?;
        }
        Ok(())
    }

    fn insert_appended(&mut self, conn: &mut Conn) -> Result<(), Abort> {
        self.work.send_more(insert_appended(conn)?);
        Ok(())
    }

    // Makes the error the outcome of this member; returns errors that concern all members.
    fn take(&mut self, aborted: Abort) -> Result<(), Abort> {
        match aborted {
            Abort::MemberFailed => {}
            Abort::KeyTaken => self.work.fail_with(Failure::conflict("the key of a command has a row already")),
            Abort::StatementFailed(failure) => {
                self.has_conflict = failure.kind() == Kind::Conflict;
                self.work.fail_with(failure);
            }
            Abort::ConnectionLost(_) | Abort::CommitLost(_) | Abort::BeginFailed(_) => return Err(aborted),
        }
        Ok(())
    }
}

/// Runs the members in one transaction, adds those that `more` returns meanwhile, and commits. `begin` is the statement
/// for PostgreSQL. After an error nothing is done; a batch of one stores the error as that member's outcome.
pub fn transact(
    conn: &mut Conn,
    begin: &str,
    members: &mut Vec<Member>,
    style: Style,
    more: &mut impl FnMut() -> Option<Box<QueuedWork>>,
) -> Result<(), Abort> {
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
    more: &mut impl FnMut() -> Option<Box<QueuedWork>>,
) -> Result<(), Abort> {
    appended::clear();
    transaction::begin(conn, begin).map_err(|error| match error.into() {
        Abort::StatementFailed(failure) => Abort::BeginFailed(failure),
        lost => lost,
    })?;
    if style == Style::Savepoints {
        transaction::set_savepoint(conn)?;
    }
    // Of the first members, how many have their records inserted.
    let (mut at, mut recorded) = (0, 0);
    while at < members.len() {
        // Other work may look up a command, such as one whose caller has gone. So the records come first.
        if style == Style::Optimistic && !members[at].work.is_command() {
            insert_records(conn, &members[recorded..at])?;
            recorded = at;
        }
        match style {
            Style::Optimistic => members[at].run(conn)?,
            Style::Savepoints => members[at].run_in_savepoint(conn)?,
        }
        at += 1;
        // Only after a member has run, and only what is queued already: a batch never waits to become larger.
        if at < MAX_MEMBERS {
            members.extend(more().map(Member::new));
        }
    }
    if style == Style::Optimistic {
        if let Some(last) = members.last_mut() {
            last.insert_appended(conn)?;
        }
        insert_records(conn, &members[recorded..])?;
    }
    transaction::commit(conn).map_err(|error| match error.into() {
        // The answer is a retryable 503. On the retry, the idempotency record shows whether this commit happened.
        Abort::ConnectionLost(failure) => {
            Abort::CommitLost(Failure::unavailable("the connection broke at the commit").from_source(failure))
        }
        other => other,
    })
}

// Returns what the statements ask to send after the commit.
fn insert_appended(conn: &mut Conn) -> Result<Notifications, Abort> {
    notifications::clear();
    appended::insert_waiting(conn)?;
    Ok(notifications::take())
}

// One statement for the records of these members: on PostgreSQL that saves a round trip per command.
fn insert_records(conn: &mut Conn, members: &[Member]) -> Result<(), Abort> {
    let rows: Vec<_> = members.iter().filter_map(|member| member.work.idempotency_record()).collect();
    insert(conn, &rows)
}

fn insert(conn: &mut Conn, rows: &[&idempotency_record::IdempotencyRecord]) -> Result<(), Abort> {
    if rows.is_empty() || idempotency_record::insert(conn, rows)? == rows.len() { Ok(()) } else { Err(Abort::KeyTaken) }
}
