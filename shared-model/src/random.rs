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
