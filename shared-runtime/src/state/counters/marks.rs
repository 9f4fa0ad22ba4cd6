//! Idempotency marks of this process, in bounded memory. The database's ledger is the guard; a mark that is lost costs
//! a look into the ledger and nothing else.

use std::{
    array,
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use shared_model::Timestamp;

use super::Mark;
use crate::base::clock::Clock;

const SHARDS: usize = 16;
const SHARD_MARKS: usize = 1024;
const SHARD_BYTES: usize = 2 << 20;

/// An outcome beyond this is not kept, here or in Redis: the ledger has it.
pub const OUTCOME_BYTES: usize = 64 << 10;

/// The marks of this process.
pub struct Marks {
    clock: Clock,
    seed: RandomState,
    shards: [Mutex<Shard>; SHARDS],
}

#[derive(Default)]
struct Shard {
    marks: HashMap<String, Held>,
    bytes: usize,
}

struct Held {
    owner: String,
    outcome: Option<String>,
    expires: Timestamp,
}

impl Marks {
    pub fn new(clock: Clock) -> Self {
        Self { clock, seed: RandomState::new(), shards: array::from_fn(|_| Mutex::default()) }
    }

    /// Takes the mark, or tells who has it; an owner's own mark is taken anew.
    pub fn take(&self, key: &str, owner: &str, ttl: Duration) -> Mark {
        let now = self.clock.now();
        let mut shard = self.shard(key);
        match shard.live(key, now) {
            Some(Held { outcome: Some(outcome), .. }) => return Mark::Done(outcome.clone()),
            Some(held) if held.owner != owner => return Mark::Running,
            _ => {}
        }
        shard.put(key, Held { owner: owner.to_owned(), outcome: None, expires: now.plus(ttl) }, now);
        Mark::Ours
    }

    /// Prolongs the owner's mark.
    pub fn keep(&self, key: &str, owner: &str, ttl: Duration) {
        let now = self.clock.now();
        if let Some(held) = self.shard(key).live(key, now)
            && held.is_run_by(owner)
        {
            held.expires = now.plus(ttl);
        }
    }

    /// Notes the outcome, unless another runs the command now or it is done already.
    pub fn done(&self, key: &str, owner: &str, outcome: String, ttl: Duration) {
        let now = self.clock.now();
        let mut shard = self.shard(key);
        if shard.live(key, now).is_some_and(|held| !held.is_run_by(owner)) {
            return;
        }
        if outcome.len() > OUTCOME_BYTES {
            shard.remove(key);
        } else {
            shard.put(key, Held { owner: owner.to_owned(), outcome: Some(outcome), expires: now.plus(ttl) }, now);
        }
    }

    /// Gives the owner's mark up.
    pub fn release(&self, key: &str, owner: &str) {
        let now = self.clock.now();
        let mut shard = self.shard(key);
        if shard.live(key, now).is_some_and(|held| held.is_run_by(owner)) {
            shard.remove(key);
        }
    }

    fn shard(&self, key: &str) -> MutexGuard<'_, Shard> {
        let shard = &self.shards[self.seed.hash_one(key) as usize % SHARDS];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn is_run_by(&self, owner: &str) -> bool {
        self.outcome.is_none() && self.owner == owner
    }

    fn bytes(&self, key: &str) -> usize {
        key.len() + self.owner.len() + self.outcome.as_ref().map_or(0, String::len)
    }
}

impl Shard {
    fn live(&mut self, key: &str, now: Timestamp) -> Option<&mut Held> {
        self.marks.get_mut(key).filter(|held| held.expires > now)
    }

    fn put(&mut self, key: &str, held: Held, now: Timestamp) {
        self.remove(key);
        self.bytes += held.bytes(key);
        self.marks.insert(key.to_owned(), held);
        if self.is_full() {
            self.forget(|held| held.expires <= now);
        }
        while self.is_full() {
            // The quarter that would expire first; running commands only when there is nothing else.
            let mut ranks: Vec<_> = self.marks.values().map(|held| (held.outcome.is_none(), held.expires)).collect();
            let quarter = ranks.len() / 4;
            let last = *ranks.select_nth_unstable(quarter).1;
            self.forget(|held| (held.outcome.is_none(), held.expires) <= last);
        }
    }

    fn remove(&mut self, key: &str) {
        if let Some(held) = self.marks.remove(key) {
            self.bytes -= held.bytes(key);
        }
    }

    fn is_full(&self) -> bool {
        self.marks.len() > SHARD_MARKS || self.bytes > SHARD_BYTES
    }

    fn forget(&mut self, goes: impl Fn(&Held) -> bool) {
        let bytes = &mut self.bytes;
        self.marks.retain(|key, held| {
            let stays = !goes(held);
            if !stays {
                *bytes -= held.bytes(key);
            }
            stays
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TTL: Duration = Duration::from_secs(30);
    const DAY: Duration = Duration::from_secs(86_400);

    fn marks() -> (Marks, Clock) {
        let clock = Clock::at(Timestamp::from_seconds(1_800_000_000));
        (Marks::new(clock.clone()), clock)
    }

    #[test]
    fn one_takes_it_the_others_see_it_running_then_done() {
        let (marks, clock) = marks();
        assert_eq!(marks.take("k", "ada", TTL), Mark::Ours);
        assert_eq!(marks.take("k", "bob", TTL), Mark::Running);
        marks.done("k", "ada", "42".to_owned(), DAY);
        clock.advance(DAY - Duration::from_micros(1));
        assert_eq!(marks.take("k", "bob", TTL), Mark::Done("42".to_owned()));
        clock.advance(Duration::from_micros(1));
        assert_eq!(marks.take("k", "bob", TTL), Mark::Ours);
    }

    #[test]
    fn a_released_or_expired_mark_is_free() {
        let (marks, clock) = marks();
        marks.take("k", "ada", TTL);
        marks.release("k", "ada");
        assert_eq!(marks.take("k", "bob", TTL), Mark::Ours);
        clock.advance(TTL);
        assert_eq!(marks.take("k", "cyd", TTL), Mark::Ours);
    }

    #[test]
    fn a_kept_mark_lives_on() {
        let (marks, clock) = marks();
        marks.take("k", "ada", TTL);
        clock.advance(TTL / 2);
        marks.keep("k", "ada", TTL);
        clock.advance(TTL / 2);
        assert_eq!(marks.take("k", "bob", TTL), Mark::Running);
    }

    #[test]
    fn a_stranger_can_neither_release_nor_keep_nor_finish_it() {
        let (marks, clock) = marks();
        marks.take("k", "ada", TTL);
        marks.release("k", "bob");
        marks.done("k", "bob", "mine".to_owned(), DAY);
        marks.keep("k", "bob", DAY);
        assert_eq!(marks.take("k", "cyd", TTL), Mark::Running);
        clock.advance(TTL);
        assert_eq!(marks.take("k", "cyd", TTL), Mark::Ours);
    }

    #[test]
    fn nobody_undoes_what_is_done() {
        let (marks, _) = marks();
        marks.take("k", "ada", TTL);
        marks.done("k", "ada", "42".to_owned(), DAY);
        marks.release("k", "ada");
        marks.done("k", "ada", "43".to_owned(), DAY);
        assert_eq!(marks.take("k", "bob", TTL), Mark::Done("42".to_owned()));
    }

    #[test]
    fn an_outcome_is_noted_even_when_the_mark_was_lost_on_the_way() {
        let (marks, _) = marks();
        marks.done("k", "ada", "42".to_owned(), DAY);
        assert_eq!(marks.take("k", "bob", TTL), Mark::Done("42".to_owned()));
    }

    #[test]
    fn an_outcome_too_big_to_keep_leaves_the_key_to_the_ledger() {
        let (marks, _) = marks();
        marks.take("k", "ada", TTL);
        marks.done("k", "ada", "x".repeat(OUTCOME_BYTES + 1), DAY);
        assert_eq!(marks.take("k", "bob", TTL), Mark::Ours);
    }

    #[test]
    fn outcomes_give_way_before_running_commands_and_memory_stays_bounded() {
        let (marks, _) = marks();
        marks.take("running", "ada", TTL);
        for key in 0..100_000 {
            marks.done(&format!("key {key}"), "ada", "x".repeat(2000), DAY);
        }
        assert_eq!(marks.take("running", "bob", TTL), Mark::Running);
        for shard in &marks.shards {
            let shard = shard.lock().unwrap();
            assert!(!shard.is_full());
            assert_eq!(shard.bytes, shard.marks.iter().map(|(key, held)| held.bytes(key)).sum::<usize>());
        }
    }
}
