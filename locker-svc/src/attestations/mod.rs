//! Which images may be used: those for which an attestor has signed.
//!
//! An attestation is an in-toto statement about images in a signed envelope. Stored envelopes are verified again at
//! each use. So neither a changed row nor a revoked attestor makes an image trusted.

mod attestor;
mod record;
mod register;
mod statement;
mod store;
mod verify;

pub use attestor::{Attestor, AttestorKeyId};
pub use record::{RecordOutcome, record};
pub use register::{add, revoke};
pub use statement::{PAYLOAD_TYPE, sign};
pub use store::list_attestors;
pub use verify::is_attested;
