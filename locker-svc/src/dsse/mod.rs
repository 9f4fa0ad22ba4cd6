//! Signed statements: the DSSE envelope (Dead Simple Signing Envelope v1), with Ed25519.

mod envelope;
mod signing;

pub use envelope::{DsseEnvelope, MAX_BYTES};
pub use signing::{sign, verify};
