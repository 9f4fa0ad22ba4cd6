//! How many requests all replicas receive for each one that this process receives.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Parts of one request in which the average is kept.
const PARTS: i64 = 1 << 20;
/// Answers of Redis that the average follows.
const ANSWERS: i64 = 512;
/// Answers for which the guess before any stands.
const GUESS: i64 = 16;
/// What one answer says at most: a subject that a proxy moves to another replica brings all its count at once.
const MOST: u64 = 16;

/// An average over the subjects that this process counts, by their requests: near 1 where a proxy keeps each at one replica, near
/// the number of replicas where it deals requests out in turn. It is learnt from the counts of Redis, for when Redis is away.
pub struct ReplicaShare(Mutex<Average>);

struct Average {
    answers: i64,
    parts: i64,
    /// Parts that no request has counted for yet.
    left: i64,
}

impl Default for ReplicaShare {
    fn default() -> Self {
        Self(Mutex::new(Average { answers: GUESS, parts: PARTS, left: 0 }))
    }
}

impl ReplicaShare {
    /// Learns from one request of this process, by which a subject's count among all replicas went from `before` to `after`.
    pub fn learn(&self, before: u64, after: u64) {
        // Of a subject seen first in this minute, nobody knows how many went before: its count alone says nothing.
        if before == 0 {
            return;
        }
        let step = after.saturating_sub(before).min(MOST) as i64 * PARTS;
        let mut average = self.average();
        average.answers = (average.answers + 1).min(ANSWERS);
        average.parts += (step - average.parts) / average.answers;
    }

    /// What the next request of this process counts for while nobody counts for all; over many of them, the average.
    pub fn weight(&self) -> u64 {
        let mut average = self.average();
        let parts = average.left + average.parts.max(PARTS);
        average.left = parts % PARTS;
        (parts / PARTS) as u64
    }

    fn average(&self) -> MutexGuard<'_, Average> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a hundred requests count for.
    fn hundred(share: &ReplicaShare) -> u64 {
        (0..100).map(|_| share.weight()).sum()
    }

    #[test]
    fn it_follows_how_requests_are_dealt_out() {
        let share = ReplicaShare::default();
        assert_eq!(hundred(&share), 100);
        (1..200).for_each(|turn| share.learn(3 * turn, 3 * turn + 3));
        assert!((275..=300).contains(&hundred(&share)), "soon");
        (1..4000).for_each(|turn| share.learn(5 * turn, 5 * turn + 2 + turn % 2));
        assert!((245..=255).contains(&hundred(&share)), "two replicas that are not asked alike");
        (1..4000).for_each(|turn| share.learn(turn, turn + 1));
        assert!((100..=101).contains(&hundred(&share)), "one is left");
    }

    #[test]
    fn one_subject_that_moves_changes_little_and_answers_out_of_order_nothing() {
        let share = ReplicaShare::default();
        (1..4000).for_each(|turn| share.learn(turn, turn + 1));
        share.learn(0, 500);
        share.learn(1, 500);
        assert!((100..=105).contains(&hundred(&share)));
        // Two at once: the later answer is read first.
        (1..4000).for_each(|pair| {
            share.learn(2 * pair, 2 * pair + 2);
            share.learn(2 * pair + 2, 2 * pair + 1);
        });
        assert!((100..=101).contains(&hundred(&share)));
    }
}
