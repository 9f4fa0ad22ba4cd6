//! Estimates how many requests all replicas receive for each request of this process.

use std::sync::{Mutex, MutexGuard, PoisonError};

// Fixed-point: the average is stored in parts of 1/SCALE of a request.
const SCALE: i64 = 1 << 20;
// Answers of Redis that the moving average covers.
const AVERAGED_ANSWERS: i64 = 512;
// The first guess (1) weighs as much as this many answers.
const INITIAL_ANSWERS: i64 = 16;
// A subject that a proxy moves to another replica brings its whole count at once. One such answer must not move the
// average far.
const MAX_STEP: u64 = 16;

/// A moving average of the steps in Redis's counts. Near 1 when a proxy keeps each subject at one replica; near the
/// number of replicas when it distributes requests in turn. Used while Redis is away.
pub struct ReplicaShare(Mutex<Average>);

struct Average {
    answers: i64,
    scaled: i64,
    /// What is left after rounding, carried to the next request.
    remainder: i64,
}

impl Default for ReplicaShare {
    fn default() -> Self {
        Self(Mutex::new(Average { answers: INITIAL_ANSWERS, scaled: SCALE, remainder: 0 }))
    }
}

impl ReplicaShare {
    /// One request of this process raised a subject's count from `before` to `after`; the difference includes the other
    /// replicas.
    pub fn learn(&self, before: u64, after: u64) {
        // The first request of a subject in this minute says nothing: the count before it is unknown.
        if before == 0 {
            return;
        }
        let step = after.saturating_sub(before).min(MAX_STEP) as i64 * SCALE;
        let mut average = self.average();
        average.answers = (average.answers + 1).min(AVERAGED_ANSWERS);
        average.scaled += (step - average.scaled) / average.answers;
    }

    /// The weight of the next request while Redis is away. Over many requests it equals the average.
    pub fn weight(&self) -> u64 {
        let mut average = self.average();
        let scaled = average.remainder + average.scaled.max(SCALE);
        average.remainder = scaled % SCALE;
        (scaled / SCALE) as u64
    }

    fn average(&self) -> MutexGuard<'_, Average> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The sum of the weights of 100 requests.
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
        assert!((100..=101).contains(&hundred(&share)), "one is remainder");
    }

    #[test]
    fn one_subject_that_moves_changes_little_and_answers_out_of_order_nothing() {
        let share = ReplicaShare::default();
        (1..4000).for_each(|turn| share.learn(turn, turn + 1));
        share.learn(0, 500);
        share.learn(1, 500);
        assert!((100..=105).contains(&hundred(&share)));
        // Two parallel requests: the later answer arrives first.
        (1..4000).for_each(|pair| {
            share.learn(2 * pair, 2 * pair + 2);
            share.learn(2 * pair + 2, 2 * pair + 1);
        });
        assert!((100..=101).contains(&hundred(&share)));
    }
}
