//! How many requests all replicas receive for each one that this process receives.

use std::sync::atomic::{AtomicU32, Ordering};

/// Parts of one request in which the average is kept.
const PARTS: u32 = 1 << 10;
/// Answers of Redis that the average follows.
const ANSWERS: u32 = 64;
/// What one answer says at most: a subject that a proxy moves to another replica brings all its count at once.
const MOST: u64 = 16;

/// An average over the subjects that this process counts, by their requests: near 1 where a proxy keeps each at one replica, near
/// the number of replicas where it deals requests out in turn. It is learnt from the counts of Redis, for when Redis is away.
pub struct ReplicaShare(AtomicU32);

impl Default for ReplicaShare {
    fn default() -> Self {
        Self(AtomicU32::new(PARTS))
    }
}

impl ReplicaShare {
    /// Learns from one request of this process, by which a subject's count among all replicas went from `before` to `after`.
    pub fn learn(&self, before: u64, after: u64) {
        // Of a subject seen first in this minute, nobody knows how many went before: its count alone says nothing.
        if before == 0 {
            return;
        }
        let step = after.saturating_sub(before).min(MOST) as u32 * PARTS;
        let moved = |average: u32| Some((average * (ANSWERS - 1) + step) / ANSWERS);
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, moved);
    }

    /// What one request of this process counts for while nobody counts for all: 1 or more.
    pub fn weight(&self) -> u64 {
        u64::from((self.0.load(Ordering::Relaxed) + PARTS / 2) / PARTS).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_follows_how_requests_are_dealt_out() {
        let share = ReplicaShare::default();
        assert_eq!(share.weight(), 1);
        (1..400).for_each(|turn| share.learn(3 * turn, 3 * turn + 3));
        assert_eq!(share.weight(), 3);
        (1..400).for_each(|turn| share.learn(turn, turn + 1));
        assert_eq!(share.weight(), 1);
    }

    #[test]
    fn one_subject_that_moves_changes_little_and_answers_out_of_order_nothing() {
        let share = ReplicaShare::default();
        share.learn(0, 500);
        share.learn(1, 500);
        assert_eq!(share.weight(), 1);
        // Two at once: the later answer is read first.
        (1..400).for_each(|pair| {
            share.learn(2 * pair, 2 * pair + 2);
            share.learn(2 * pair + 2, 2 * pair + 1);
        });
        assert_eq!(share.weight(), 1);
    }
}
