//! Native presentations: slides to be shown.

pub mod content;
pub mod edit;
