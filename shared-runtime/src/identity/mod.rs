//! Who calls: access tokens (RFC 9068) checked against the issuer's keys, and the grants behind them.

mod asking;
pub mod authorization_server;
mod cache;
pub mod challenge;
mod claims;
mod crypto;
mod flaw;
pub mod grants;
mod jwks;
mod keyring;
mod keys;
pub mod mint;
mod resources;
mod revocations;
pub mod settings;
mod tables;
mod token;
mod verifier;

pub use claims::{Actor, ActorKind, Identity};
pub use grants::{OnFirstSeen, was_seen};
pub use revocations::{MAX_AGE as REVOKED_WITHIN, revoke};
pub use verifier::{IdentityRules, Verifier};
