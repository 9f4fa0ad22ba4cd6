//! Orders: what was ordered, what it costs, what of it is paid, and how far it has come.

mod import;
mod order;
mod read;
mod store;

pub use import::{IMPORTER, Record, parse_line};
pub use order::{Amounts, Line, Order, OrderState, Payment, PaymentStatus, Schema, Step};
pub use read::read;
