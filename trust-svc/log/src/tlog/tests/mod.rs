//! The formats beside their specifications and beside implementations that are not ours.

mod fixture;
mod keys;
mod notes;
mod other_tools;
mod receipts;
mod witnesses;
