//! Bounds of what the requests of one grant hold at the same time.

mod bound;
mod place;

pub use bound::{ADDRESS_FACTOR, Bound, Row, TABLE};
pub use place::{Bounds, Holder, Place};
