//! Orders: their lines, amounts, payment and state.

mod amounts;
mod create;
mod export;
mod import;
mod list;
mod number;
mod operate;
mod order;
mod read;
mod state;
mod store;
#[cfg(test)]
mod tests;
mod transition;

pub use create::create;
pub use export::{run as export, write_all};
pub use import::{import, importer};
pub use list::list;
pub use operate::{move_to, show};
pub use order::{NOTE_BYTES, OrderRecord, PaymentStatus, REFERENCE_BYTES};
pub use read::read;
pub use state::OrderState;
pub use transition::MoveDetails;
