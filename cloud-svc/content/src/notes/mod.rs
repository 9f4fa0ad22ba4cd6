//! Notes: a title, and a text that is shown as Markdown.

pub mod content;
pub mod edit;
pub mod links;
pub mod markdown;
pub mod outline;
