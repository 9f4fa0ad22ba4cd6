//! What a later content no longer has.

/// How many blocks, cells with text or other parts a content has. And how many of them are gone or have no text later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deleted {
    pub had: usize,
    pub gone: usize,
}
