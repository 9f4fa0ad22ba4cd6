//! Portable packages of a room: one file or one folder, in parts that are downloaded one by one (spec: Export part listing).

mod blobs;
pub mod build;
mod collect_garbage;
mod download;
mod export;
pub mod link;
mod list_parts;
pub mod manifest;
mod read_manifest;
mod revoke;
pub mod store;
pub mod verify;

pub use collect_garbage::{Collected, collect_garbage};
pub use download::download;
pub use export::{Export, ExportState, Part};
pub use list_parts::list_parts;
pub use read_manifest::read_manifest;
pub use revoke::revoke;
