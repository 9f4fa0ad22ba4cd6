//! Asks witnesses in the background to cosign the log's checkpoints (C2SP tlog-witness).
//!
//! One checkpoint at a time is submitted to all witnesses, until enough have cosigned it. So the cosignatures are for
//! the same size, even if the log grows fast or has several processes. Each witness has its own loop: a slow one delays
//! no other.

pub mod request;
pub mod run;
pub mod settings;
pub mod store;
pub mod submit;

use shared_model::Error;
use trust_log::{merkle::Hash, tlog::SignedCheckpoint};

pub use run::run;
pub use settings::{RemoteWitness, WitnessSettings, Witnesses};

/// The log, as far as witnesses see it. Tests have one in memory that can fork.
pub trait WitnessedLog: Clone + 'static {
    /// The present checkpoint, with the log's signature only.
    fn latest(&self) -> impl Future<Output = Result<SignedCheckpoint, Error>>;

    /// The proof that the tree of `second` leaves begins with the tree of `first` leaves. `second` is at most the
    /// latest size.
    fn consistency(&self, first: u64, second: u64) -> impl Future<Output = Result<Vec<Hash>, Error>>;
}
