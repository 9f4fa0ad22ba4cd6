//! Which images may be used: those that an attestor has signed for.
//!
//! An attestation is an in-toto statement about images, in a signed envelope. Stored envelopes are verified again whenever
//! they count, so that neither a changed row nor a revoked attestor makes an image good.

mod attestor;
mod record;
mod register;
mod statement;
mod store;
mod verify;

pub use attestor::{Attestor, AttestorKeyId};
pub use record::{Recorded, record};
pub use register::{add, revoke};
pub use statement::{PAYLOAD_TYPE, sign};
pub use store::attestors;
pub use verify::is_attested;
