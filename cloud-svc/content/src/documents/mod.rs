//! Native documents: files whose versions are blocks of text (spec: Document content).

pub mod content;
pub mod edit;
pub mod markdown;
pub mod outline;
