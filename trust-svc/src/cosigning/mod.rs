//! Having the log's checkpoints cosigned: in the background the log asks its witnesses (C2SP tlog-witness).
//!
//! One checkpoint at a time is submitted to all of them, until enough have cosigned it: so their cosignatures meet on one
//! size, however fast the log grows and however many processes it has. Each witness is asked by a loop of its own, which
//! delays nothing else.

pub mod ask;
pub mod run;
pub mod settings;
pub mod store;
pub mod submit;

use shared_model::Error;

use crate::{merkle::Hash, tlog::SignedCheckpoint};

pub use run::run;
pub use settings::{AskedWitness, Witnesses};

/// What the log shows its witnesses.
pub trait WitnessedLog: Clone + 'static {
    /// Its checkpoint as it is now, with the log's signature alone.
    fn latest(&self) -> impl Future<Output = Result<SignedCheckpoint, Error>>;

    /// The proof that its tree of `second` leaves begins with that of `first`; it is no larger than the latest.
    fn consistency(&self, first: u64, second: u64) -> impl Future<Output = Result<Vec<Hash>, Error>>;
}
