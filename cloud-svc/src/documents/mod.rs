//! Native documents: files whose versions are blocks of text (spec: Document content).

pub mod content;
pub mod create;
pub mod edit;
pub mod markdown;
pub mod outline;
pub mod read;
