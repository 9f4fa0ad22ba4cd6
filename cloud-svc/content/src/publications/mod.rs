//! Publications: pages with elements.

pub mod content;
pub mod edit;
