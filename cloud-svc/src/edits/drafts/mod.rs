//! Scratch drafts: content that a grant keeps for a week, promotes to a file or discards.

pub mod content;
pub mod create;
pub mod discard;
pub mod draft;
pub mod draft_type;
pub mod list;
pub mod promote;
pub mod read;
pub mod store;
pub mod sweep;
pub mod update;
