//! The log: accepted request bodies and changes of signers in canonical form, numbered without gaps, only ever appended
//! to. Its rows are the truth; checkpoints, receipts and tiles are derived from them.

pub mod append;
pub mod head;
pub mod key;
pub mod place;
pub mod prove;
pub mod read;
pub mod sequencer;
pub mod store;
pub mod tiles;
pub mod witnessed;

pub use append::{Leaf, append};
pub use head::{Head, take_turn};
pub use place::{Place, ShownPlace, Tree};
pub use sequencer::Sequencer;
