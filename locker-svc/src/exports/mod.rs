//! Exports: portable packages of a room. An export is a file or a folder, cut into parts that are downloaded singly.

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

pub use collect_garbage::{GarbageReport, collect_garbage};
pub use download::download;
pub use export::{Export, ExportPart, ExportState};
pub use list_parts::list_parts;
pub use read_manifest::read_manifest;
pub use revoke::revoke;
