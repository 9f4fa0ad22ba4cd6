//! Randomness as a value that is passed in: the system's generator, or a seeded one for tests.

use std::sync::{Arc, Mutex, PoisonError};

use rand::{RngExt, SeedableRng, rngs::StdRng};

#[derive(Clone, Debug)]
pub enum Random {
    System,
    Seeded(Arc<Mutex<StdRng>>),
}

impl Random {
    pub fn seeded(seed: u64) -> Self {
        Self::Seeded(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    pub fn bytes16(&self) -> [u8; 16] {
        match self {
            Self::System => rand::random(),
            Self::Seeded(rng) => rng.lock().unwrap_or_else(PoisonError::into_inner).random(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_differ_each_time_and_are_the_same_for_a_seed() {
        let pair = |random: Random| [random.bytes16(), random.bytes16()];
        for [one, other] in [pair(Random::System), pair(Random::seeded(7))] {
            assert_ne!(one, other);
        }
        assert_eq!(pair(Random::seeded(7)), pair(Random::seeded(7)));
        assert_ne!(pair(Random::seeded(7)), pair(Random::seeded(8)));
    }
}
