//! Who calls: access tokens (RFC 9068), the issuer's keys that verify them, and the grants behind them.

pub mod authorization_server;
mod cache;
pub mod challenge;
pub mod claims;
mod crypto;
pub mod grants;
mod issuer_client;
mod jwks;
mod keyring;
pub mod keys;
pub mod known_grants;
pub mod mint;
mod resource_names;
mod revocations;
pub mod settings;
mod tables;
pub mod token;
pub mod token_error;
mod verifier;

pub use claims::{Actor, ActorKind, Identity};
pub use grants::OnFirstSeen;
pub use revocations::{REVOCATION_DELAY, revoke};
pub use verifier::{IdentityRules, METRICS, Verifier};
