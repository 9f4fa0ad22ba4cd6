//! DSSE envelopes (Dead Simple Signing Envelope v1), signed with Ed25519.

mod envelope;
mod signing;

pub use envelope::{DsseEnvelope, MAX_BYTES};
pub use signing::{sign, verify};
