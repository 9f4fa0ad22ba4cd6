//! Choices that follow from the number of a step.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// The choices of one step.
#[derive(Clone, Debug)]
pub struct Dice {
    seed: u64,
    throws: u64,
}

impl Dice {
    pub fn of(seed: u64) -> Self {
        Self { seed, throws: 0 }
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.throws += 1;
        hash(self.seed, self.throws, "") % end.max(1)
    }

    /// True with this chance in a hundred.
    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    pub fn of_these<T: Copy>(&mut self, items: &[T]) -> T {
        let index = self.below(items.len() as u64);
        items[usize::try_from(index).expect("an index")]
    }

    /// One of the items, each as often as the number beside it says.
    pub fn weighted<T>(&mut self, items: impl Iterator<Item = (u64, T)> + Clone) -> Option<T> {
        let mut throw = self.below(items.clone().map(|(weight, _)| weight).sum());
        let mut chosen = items.skip_while(|(weight, _)| {
            let is_passed = throw >= *weight;
            throw = throw.saturating_sub(*weight);
            is_passed
        });
        chosen.next().map(|(_, item)| item)
    }

    /// One of the items, by their names.
    // Not by their places: a shrunk history has fewer items, and must still choose the same one of those that are left.
    pub fn pick<T>(&mut self, items: impl IntoIterator<Item = T>, name: impl Fn(&T) -> &str) -> Option<T> {
        self.throws += 1;
        items.into_iter().max_by_key(|item| hash(self.seed, self.throws, name(item)))
    }

    /// The same for texts.
    pub fn pick_text<'t>(&mut self, items: impl IntoIterator<Item = &'t String>) -> Option<String> {
        self.pick(items, |item| item.as_str()).cloned()
    }
}

fn hash(seed: u64, throw: u64, name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, throw, name).hash(&mut hasher);
    hasher.finish()
}
