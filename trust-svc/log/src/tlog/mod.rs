//! The formats of transparency logs (C2SP): tlog-tiles, signed-note, tlog-checkpoint, tlog-cosignature, tlog-proof,
//! tlog-witness. Other people's tools read this log, and this crate reads other logs.
//!
//! Every format has one spelling: a parser refuses input that it would not write as the same bytes.

pub mod bundle;
pub mod checkpoint;
pub mod cosignature;
pub mod key;
pub mod lines;
pub mod malformed;
pub mod note;
pub mod proof;
pub mod signer;
#[cfg(test)]
mod tests;
pub mod tile;
pub mod verify;
pub mod witness;

pub use checkpoint::{Checkpoint, SignedCheckpoint};
pub use key::{KeyName, VerifierKey};
pub use malformed::Malformed;
pub use note::{Note, NoteSignature};
pub use proof::Receipt;
pub use signer::{Cosigner, NoteSigner};
pub use tile::Tile;
pub use verify::{Policy, verify_checkpoint, verify_receipt};
