//! Bytes in and out: uploads, downloads, import and export of folders.

pub mod downloads;
pub mod export;
pub mod import;
pub mod uploads;
