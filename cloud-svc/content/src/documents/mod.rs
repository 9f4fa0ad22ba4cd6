//! Documents: files whose versions are blocks of text.

pub mod content;
pub mod edit;
pub mod markdown;
pub mod outline;
