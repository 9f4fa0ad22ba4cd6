//! The executor of one lane: waiting writes share a transaction, and none is answered before the commit.

use std::time::Duration;

use rand::RngExt as _;
use shared_model::Failure;

use super::{
    batch::{Abort, Member, Style, transact},
    checkpointer::Checkpoints,
    lane::Lane,
};
use crate::state::db::{
    pool::{
        connection_pool::{Pool, discard},
        outage,
    },
    work::{queue::WorkReceiver, queued_work::QueuedWork},
};

// Refusals come in groups, and a batch that must run twice costs double.
const SAVEPOINT_BATCHES: u32 = 8;
// The first run included. More tries would hold up the lane.
const MAX_TRIES: u32 = 4;

pub struct Writer {
    pool: Pool,
    lane: Lane,
    savepoint_batches_left: u32,
    /// `None` on PostgreSQL.
    checkpoints: Option<Checkpoints>,
}

impl Writer {
    pub fn new(pool: Pool, lane: Lane, checkpoints: Option<Checkpoints>) -> Self {
        Self { pool, lane, savepoint_batches_left: 0, checkpoints }
    }

    pub fn execute(&mut self, mut receiver: WorkReceiver) {
        while let Some(first) = receiver.recv() {
            self.write(first, &mut receiver);
            if let Some(checkpoints) = &mut self.checkpoints {
                checkpoints.after_transaction(&self.pool);
            }
        }
    }

    fn write(&mut self, first: Box<QueuedWork>, receiver: &mut WorkReceiver) {
        let mut members = vec![Member::new(first)];
        // Savepoints cost two statements per member, so a batch begins without them: almost always all members succeed.
        let style = if self.savepoint_batches_left > 0 { Style::Savepoints } else { Style::Optimistic };
        self.savepoint_batches_left = self.savepoint_batches_left.saturating_sub(1);
        let mut ended = self.attempt(&mut members, style, || receiver.try_recv());
        if style == Style::Optimistic && is_member_error(&ended) {
            self.savepoint_batches_left = SAVEPOINT_BATCHES;
            ended = self.attempt(&mut members, Style::Savepoints, || None);
        }
        // Even with savepoints the batch failed, for instance at a deferred constraint. Each member runs alone.
        if is_member_error(&ended) {
            members.iter_mut().for_each(|member| member.has_conflict = true);
        } else if let Err(aborted) = ended {
            self.fail_all(&mut members, aborted);
        }
        let (conflicts, ended): (Vec<_>, Vec<_>) = members.into_iter().partition(|member| member.has_conflict);
        ended.into_iter().for_each(|member| member.work.answer());
        conflicts.into_iter().for_each(|member| self.write_alone(member));
    }

    fn write_alone(&self, member: Member) {
        let mut members = vec![member];
        for tried in 1..MAX_TRIES {
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

    // Runs one transaction; a second time on a new connection when the first one breaks before the commit.
    fn attempt(
        &self,
        members: &mut Vec<Member>,
        style: Style,
        mut more: impl FnMut() -> Option<Box<QueuedWork>>,
    ) -> Result<(), Abort> {
        let begin = self.lane.begin();
        let mut conn = self.pool.get().map_err(Abort::BeginFailed)?;
        match transact(&mut conn, begin, members, style, &mut more) {
            Err(Abort::ConnectionLost(_)) => {
                discard(conn);
                transact(&mut *self.pool.get_new().map_err(Abort::BeginFailed)?, begin, members, style, &mut more)
            }
            ended => ended,
        }
    }

    fn fail_all(&self, members: &mut [Member], aborted: Abort) {
        let failure = match aborted {
            Abort::StatementFailed(failure) | Abort::BeginFailed(failure) if outage::affects_all_work(&failure) => {
                self.pool.record_failure(failure)
            }
            // A new connection shows whether only this one broke or the database is down.
            Abort::ConnectionLost(failure) | Abort::CommitLost(failure) => match self.pool.get_new() {
                Err(outage) if outage.is_already_logged() => failure.already_logged(),
                _ => failure,
            },
            Abort::StatementFailed(failure) | Abort::BeginFailed(failure) => failure,
            Abort::MemberFailed | Abort::KeyTaken => Failure::unavailable("the transaction was rolled back"),
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

// True when the other members may succeed without the one that failed.
fn is_member_error(ended: &Result<(), Abort>) -> bool {
    matches!(ended, Err(Abort::MemberFailed | Abort::KeyTaken | Abort::StatementFailed(_)))
}

// A random pause, so that two processes in conflict do not collide again. It doubles with each try.
fn pause(tried: u32) -> Duration {
    Duration::from_micros(rand::rng().random_range(0..=1_000_u64 << tried))
}
