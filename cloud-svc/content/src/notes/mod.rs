//! Native notes: a title and a text, which is shown as Markdown (spec: Note content).

pub mod content;
pub mod edit;
pub mod links;
pub mod markdown;
pub mod outline;
