//! Orders: what was ordered, what it costs, what of it is paid, and how far it has come.

mod amounts;
mod create;
mod export;
mod import;
mod list;
mod number;
mod operate;
mod order;
mod read;
mod store;
#[cfg(test)]
mod tests;
mod transition;

pub use amounts::Amounts;
pub use create::create;
pub use export::{run as export, write_all};
pub use import::{Record, import, importer, parse_line};
pub use list::list;
pub use operate::{Unmoved, move_to, show};
pub use order::{NOTE_BYTES, Order, OrderLine, OrderSchema, OrderState, Payment, PaymentStatus, REFERENCE_BYTES, Step};
pub use read::read;
pub use transition::{Change, Illegal};
