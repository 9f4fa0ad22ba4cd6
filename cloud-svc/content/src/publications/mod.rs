//! Native publications: pages to be printed (spec: Publication content).

pub mod content;
pub mod edit;
