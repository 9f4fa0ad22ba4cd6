//! Uploads, downloads, import and export of folders, and Word files of plans.

pub mod downloads;
pub mod export;
pub mod import;
pub mod uploads;
pub mod word;
