//! Randomness, passed in: the system's, or a seeded sequence that tests can repeat.

use std::sync::{Arc, Mutex, PoisonError};

use rand::{RngExt, SeedableRng, rngs::StdRng};

/// Draws random bytes for ids and tokens.
#[derive(Clone, Debug)]
pub enum Random {
    /// The thread's cryptographic generator, seeded by the system.
    System,
    /// A sequence that a seed determines. For tests.
    Seeded(Arc<Mutex<StdRng>>),
}

impl Random {
    /// The sequence of this seed.
    pub fn seeded(seed: u64) -> Self {
        Self::Seeded(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    /// 16 fresh bytes, for an id.
    pub fn bytes16(&self) -> [u8; 16] {
        match self {
            Self::System => rand::random(),
            Self::Seeded(rng) => rng.lock().unwrap_or_else(PoisonError::into_inner).random(),
        }
    }
}
