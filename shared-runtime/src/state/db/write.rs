//! The executor of writes: those that wait share a transaction, and nobody is answered before its commit.
//!
//! A batch begins without savepoints, for mostly all of its members succeed. When one does not, everything is rolled
//! back, and the same members run again in a savepoint each.

use std::time::Duration;

use rand::RngExt as _;
use shared_model::Failure;

use super::{
    batch::{Aborted, Member, Style, transact},
    lane::Lane,
    outage,
    pool::{Pool, discard},
    queue::Arrivals,
    work::QueuedWork,
};

/// Batches that have savepoints from the start after one that needed them: refusals come in groups.
const CAREFUL: u32 = 8;
/// How often a write that meets conflicts runs, the first time included.
const TRIES: u32 = 4;

/// The executor of one lane.
pub(super) struct Writer {
    pool: Pool,
    lane: Lane,
    /// Batches that are still to have savepoints from the start.
    careful: u32,
}

impl Writer {
    pub(super) fn new(pool: Pool, lane: Lane) -> Self {
        Self { pool, lane, careful: 0 }
    }

    /// Works until it is told to stop or nobody can ask any more.
    pub(super) fn execute(&mut self, mut arrivals: Arrivals) {
        while let Some(first) = arrivals.wait() {
            self.write(first, &mut arrivals);
        }
    }

    /// Commits the first and those that arrive meanwhile, and answers them.
    fn write(&mut self, first: Box<dyn QueuedWork>, arrivals: &mut Arrivals) {
        let mut members = vec![Member::new(first)];
        let style = if self.careful > 0 { Style::Savepoints } else { Style::Optimistic };
        self.careful = self.careful.saturating_sub(1);
        let mut ended = self.attempt(&mut members, style, || arrivals.now());
        if style == Style::Optimistic && is_by_one(&ended) {
            self.careful = CAREFUL;
            ended = self.attempt(&mut members, Style::Savepoints, || None);
        }
        if is_by_one(&ended) {
            members.iter_mut().for_each(|member| member.has_conflict = true);
        } else if let Err(aborted) = ended {
            self.fail_all(&mut members, aborted);
        }
        let (conflicts, ended): (Vec<_>, Vec<_>) = members.into_iter().partition(|member| member.has_conflict);
        ended.into_iter().for_each(|member| member.work.answer());
        conflicts.into_iter().for_each(|member| self.write_alone(member));
    }

    /// Runs a write in a transaction of its own, again while it meets conflicts.
    fn write_alone(&self, member: Member) {
        let mut members = vec![member];
        for tried in 1..TRIES {
            std::thread::sleep(pause(tried));
            if let Err(aborted) = self.attempt(&mut members, Style::Optimistic, || None) {
                self.fail_all(&mut members, aborted);
            }
            if members.iter().all(|member| !member.has_conflict) {
                break;
            }
        }
        for mut member in members {
            member.work.give_up();
            member.work.answer();
        }
    }

    /// Runs one transaction, again on a new connection if the first one breaks before the commit.
    fn attempt(
        &self,
        members: &mut Vec<Member>,
        style: Style,
        mut more: impl FnMut() -> Option<Box<dyn QueuedWork>>,
    ) -> Result<(), Aborted> {
        let begin = self.lane.begin();
        let mut conn = self.pool.get().map_err(Aborted::Entirely)?;
        match transact(&mut conn, begin, members, style, &mut more) {
            Err(Aborted::ConnectionLost(_)) => {
                discard(conn);
                transact(&mut *self.pool.get_new().map_err(Aborted::Entirely)?, begin, members, style, &mut more)
            }
            ended => ended,
        }
    }

    /// Nothing of any member is done, or nobody knows.
    fn fail_all(&self, members: &mut [Member], aborted: Aborted) {
        let failure = match aborted {
            Aborted::ByStatement(failure) | Aborted::Entirely(failure) if outage::is_of_all(&failure) => {
                self.pool.trouble(failure)
            }
            // Whether it is this connection alone, or all, is known when there is a new one.
            Aborted::ConnectionLost(failure) | Aborted::CommitLost(failure) => match self.pool.get_new() {
                Err(outage) if outage.is_already_logged() => failure.already_logged(),
                _ => failure,
            },
            Aborted::ByStatement(failure) | Aborted::Entirely(failure) => failure,
            Aborted::ByMember | Aborted::ByTakenKey => Failure::unavailable("the transaction was rolled back"),
        };
        if failure.is_already_logged() {
            tracing::debug!(%failure, writes = members.len(), "a transaction was lost");
        } else {
            tracing::warn!(%failure, writes = members.len(), "a transaction was lost");
        }
        for member in members {
            member.has_conflict = false;
            let each = Failure::unavailable(failure.to_string());
            member.work.fail_with(if failure.is_already_logged() { each.already_logged() } else { each });
        }
    }
}

/// Whether a member that is undone alone, or runs alone, lets the others succeed.
fn is_by_one(ended: &Result<(), Aborted>) -> bool {
    matches!(ended, Err(Aborted::ByMember | Aborted::ByTakenKey | Aborted::ByStatement(_)))
}

/// A little longer for each further try, and never the same as another's.
fn pause(tried: u32) -> Duration {
    Duration::from_micros(rand::rng().random_range(0..=1_000_u64 << tried))
}
