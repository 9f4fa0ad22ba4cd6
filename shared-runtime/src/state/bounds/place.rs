//! Counts what grants and addresses hold in this process. Nothing is kept of one that holds nothing.

use std::{
    array,
    collections::{HashMap, hash_map::Entry},
    hash::{BuildHasher, RandomState},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use shared_model::Refusal;

use super::bound::{Bound, TABLE};

const SHARDS: usize = 16;

/// One number for each bound.
type Counts = [u64; TABLE.len()];

pub struct Bounds {
    // Keys are stored as hashes under a random seed, so that nobody can choose keys that collide.
    seed: RandomState,
    shards: [Mutex<HashMap<u64, Counts>>; SHARDS],
}

/// To whom a request counts.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub enum Holder<'h> {
    Grant(&'h str),
    Address(&'h str),
}

/// What one request holds, until this is dropped.
pub struct Place {
    bounds: Arc<Bounds>,
    key: u64,
    is_address: bool,
    held: Counts,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { seed: RandomState::new(), shards: array::from_fn(|_| Mutex::default()) }
    }
}

impl Bounds {
    /// Counts one more request; 429 if there are too many, or too many bytes of unread answers.
    pub fn begin(self: &Arc<Self>, holder: Holder<'_>) -> Result<Place, Refusal> {
        let is_address = matches!(holder, Holder::Address(_));
        let key = self.seed.hash_one(holder);
        let mut place = Place { bounds: Arc::clone(self), key, is_address, held: Counts::default() };
        let mut shard = self.shard(key);
        let all = shard.entry(key).or_default();
        // The length of an answer is known when its work is done. It is cheaper to refuse before.
        let has_room = all[Bound::Answers as usize] < Bound::Answers.most(is_address);
        let taken = if has_room { place.count(all, Bound::Requests, 1) } else { Err(Bound::Answers) };
        drop(shard);
        taken.map_err(|bound| bound.refusal(is_address))?;
        Ok(place)
    }

    /// What a holder holds now. It may change at any time: only a test can rely on it.
    pub fn held(&self, holder: Holder<'_>, bound: Bound) -> u64 {
        let key = self.seed.hash_one(holder);
        self.shard(key).get(&key).map_or(0, |all| all[bound as usize])
    }

    fn shard(&self, key: u64) -> MutexGuard<'_, HashMap<u64, Counts>> {
        // No bias from taking the shard out of the hash: the map hashes the hash again.
        self.shards[key as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn subtract(&self, key: u64, less: Counts) {
        if let Entry::Occupied(mut entry) = self.shard(key).entry(key) {
            let all = entry.get_mut();
            all.iter_mut().zip(less).for_each(|(all, less)| *all -= less);
            if *all == Counts::default() {
                entry.remove();
            }
        }
    }
}

impl Place {
    /// Holds more; 429 beyond the bound.
    pub fn take(&mut self, bound: Bound, amount: u64) -> Result<(), Refusal> {
        let bounds = Arc::clone(&self.bounds);
        let taken = self.count(bounds.shard(self.key).entry(self.key).or_default(), bound, amount);
        taken.map_err(|bound| bound.refusal(self.is_address))
    }

    /// Holds more, even beyond the bound.
    pub fn add(&mut self, bound: Bound, amount: u64) {
        self.bounds.shard(self.key).entry(self.key).or_default()[bound as usize] += amount;
        self.held[bound as usize] += amount;
    }

    /// Holds less.
    pub fn give_back(&mut self, bound: Bound, amount: u64) {
        let mut less = Counts::default();
        less[bound as usize] = amount.min(self.held[bound as usize]);
        self.held[bound as usize] -= less[bound as usize];
        self.bounds.subtract(self.key, less);
    }

    fn count(&mut self, all: &mut Counts, bound: Bound, amount: u64) -> Result<(), Bound> {
        if all[bound as usize] + amount > bound.most(self.is_address) {
            return Err(bound);
        }
        all[bound as usize] += amount;
        self.held[bound as usize] += amount;
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.bounds.subtract(self.key, self.held);
    }
}

#[cfg(test)]
mod tests {
    use std::{
        panic::{self, AssertUnwindSafe},
        thread,
    };

    use proptest::prelude::*;

    use super::*;

    const ALL: [Bound; 4] = [Bound::Requests, Bound::Polls, Bound::Bodies, Bound::Answers];

    impl Bounds {
        fn of(&self, holder: Holder<'_>) -> Counts {
            ALL.map(|bound| self.held(holder, bound))
        }

        fn is_empty(&self) -> bool {
            self.shards.iter().all(|shard| shard.lock().expect("a lock").is_empty())
        }
    }

    #[derive(Clone, Debug)]
    enum Step {
        Begin(usize),
        Take(usize, usize, u64),
        Add(usize, usize, u64),
        GiveBack(usize, usize, u64),
        Drop(usize),
    }

    fn step() -> impl Strategy<Value = Step> {
        let amount = prop_oneof![0..20_u64, Just(7 << 20)];
        let change = (any::<usize>(), 0..ALL.len(), amount);
        prop_oneof![
            3 => (0..HOLDERS.len()).prop_map(Step::Begin),
            2 => change.clone().prop_map(|(place, bound, amount)| Step::Take(place, bound, amount)),
            1 => change.clone().prop_map(|(place, bound, amount)| Step::Add(place, bound, amount)),
            1 => change.prop_map(|(place, bound, amount)| Step::GiveBack(place, bound, amount)),
            1 => any::<usize>().prop_map(Step::Drop),
        ]
    }

    const HOLDERS: [Holder<'static>; 3] =
        [Holder::Grant("a"), Holder::Grant("192.0.2.1"), Holder::Address("192.0.2.1")];

    proptest! {
        #[test]
        fn a_holder_holds_the_sum_of_its_places(steps in prop::collection::vec(step(), 0..300)) {
            let bounds = Arc::new(Bounds::default());
            let mut places: Vec<(usize, Place)> = Vec::new();
            for step in steps {
                let count = places.len();
                let place = |at: usize| at.checked_rem(count);
                match step {
                    Step::Begin(holder) => {
                        let before = bounds.of(HOLDERS[holder]);
                        match bounds.begin(HOLDERS[holder]) {
                            Ok(place) => places.push((holder, place)),
                            Err(refusal) => {
                                prop_assert_eq!(refusal.code.status, 429);
                                prop_assert_eq!(bounds.of(HOLDERS[holder]), before);
                            }
                        }
                    }
                    Step::Take(at, bound, amount) => if let Some(at) = place(at) {
                        let (holder, place) = &mut places[at];
                        let room = ALL[bound].most(place.is_address).checked_sub(bounds.of(HOLDERS[*holder])[bound]);
                        let fits = room.is_some_and(|room| amount <= room);
                        prop_assert_eq!(place.take(ALL[bound], amount).is_ok(), fits);
                    },
                    Step::Add(at, bound, amount) => if let Some(at) = place(at) {
                        places[at].1.add(ALL[bound], amount);
                    },
                    Step::GiveBack(at, bound, amount) => if let Some(at) = place(at) {
                        places[at].1.give_back(ALL[bound], amount);
                    },
                    Step::Drop(at) => if let Some(at) = place(at) {
                        places.swap_remove(at);
                    },
                }
                for (at, holder) in HOLDERS.iter().enumerate() {
                    let mut sum = Counts::default();
                    for (_, place) in places.iter().filter(|(own, _)| *own == at) {
                        sum.iter_mut().zip(place.held).for_each(|(sum, held)| *sum += held);
                    }
                    prop_assert_eq!(bounds.of(*holder), sum);
                }
            }
            places.clear();
            prop_assert!(bounds.is_empty());
        }
    }

    #[test]
    fn threads_at_the_same_time_never_exceed_a_bound_and_leave_nothing() {
        let bounds = Arc::new(Bounds::default());
        let most = Bound::Requests.most(false);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let places: Vec<_> =
                            (0..most / 2).map_while(|_| bounds.begin(Holder::Grant("a")).ok()).collect();
                        assert!(bounds.of(Holder::Grant("a"))[0] <= most);
                        drop(places);
                    }
                });
            }
        });
        assert!(bounds.is_empty());
    }

    #[test]
    fn one_request_more_is_refused_until_another_ends() {
        let bounds = Arc::new(Bounds::default());
        let mut places: Vec<_> = (0..128).map(|_| bounds.begin(Holder::Grant("a")).expect("a place")).collect();
        let refusal = bounds.begin(Holder::Grant("a")).err().expect("no place");
        assert_eq!(
            refusal.message,
            "This grant may have 128 requests in progress at the same time; wait for an answer before the next request."
        );
        assert!(bounds.begin(Holder::Grant("b")).is_ok() && bounds.begin(Holder::Address("a")).is_ok());
        drop(places.pop());
        assert!(bounds.begin(Holder::Grant("a")).is_ok());
    }

    #[test]
    fn a_panic_frees_a_place() {
        let bounds = Arc::new(Bounds::default());
        let unwound = panic::catch_unwind(AssertUnwindSafe(|| {
            let _place = bounds.begin(Holder::Grant("a")).expect("a place");
            panic!("on purpose");
        }));
        assert!(unwound.is_err() && bounds.is_empty());
    }

    #[test]
    fn unread_answers_refuse_further_requests() {
        let bounds = Arc::new(Bounds::default());
        let mut place = bounds.begin(Holder::Grant("a")).expect("a place");
        place.add(Bound::Answers, Bound::Answers.most(false));
        let refusal = bounds.begin(Holder::Grant("a")).err().expect("no place");
        assert!(refusal.message.contains("bytes of unread answers"), "{}", refusal.message);
        drop(place);
        assert!(bounds.begin(Holder::Grant("a")).is_ok());
    }
}
