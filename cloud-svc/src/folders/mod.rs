//! Folders: files that hold others.

pub mod create;
