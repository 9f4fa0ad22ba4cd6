//! The log: published bodies and changes of signers in canonical form, numbered without gaps. Checkpoints, receipts and
//! tiles are derived from its rows.

pub mod append;
pub mod cosigned;
pub mod head;
pub mod key;
pub mod own_log;
pub mod position;
pub mod prove;
pub mod proven;
pub mod read;
pub mod store;
pub mod tiles;

pub use append::{Leaf, append};
pub use cosigned::cosigned_receipt;
pub use head::{Head, lock_head, read_head};
pub use own_log::OwnLog;
pub use position::{LogPosition, LogProof, LogTree};
