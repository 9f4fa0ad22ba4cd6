//! Where a plan leaves what a comment is about.

use cloud_content::{anchor::Anchor, content::Content};

/// The anchor after all operations.
pub fn shifted<C: Content>(operations: &[C::Operation], anchor: Anchor) -> Anchor {
    operations.iter().fold(anchor, |anchor, operation| C::shift_anchor(operation, anchor))
}
