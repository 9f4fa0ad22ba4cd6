//! The formats, compared with their specifications and with other implementations.

mod fixture;
mod keys;
mod notes;
mod other_tools;
mod receipts;
mod witnesses;
