//! Sample data on every service, made through the same importers and operations as real data. A restart adds nothing.

pub mod cloud;
mod exports;
pub mod locker;
pub mod make;
pub mod orders;
mod records;
pub mod trust;
