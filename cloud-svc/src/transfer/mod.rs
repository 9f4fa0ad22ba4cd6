//! Uploads, downloads, and import and export of folders.

pub mod downloads;
pub mod export;
pub mod import;
pub mod uploads;
