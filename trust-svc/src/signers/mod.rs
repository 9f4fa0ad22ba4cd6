//! Signers: whose signatures are accepted, for what, from where and when.

pub mod add;
pub mod end;
pub mod key_id;
pub mod signer;
pub mod store;

pub use add::add;
pub use key_id::KeyId;
pub use shared_runtime::PublicKey;
pub use signer::{Policy, Signer};
