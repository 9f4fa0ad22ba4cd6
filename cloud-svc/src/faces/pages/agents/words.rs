//! What agents may do, in words.

use crate::workspace::agents::May;

pub fn may(may: May) -> &'static str {
    match may {
        May::Read => "Only read",
        May::Propose => "Read, comment and propose edits",
        May::Apply => "Whatever its grant and the policy of the workspace allow",
    }
}
