//! What agents may do, in words.

use shared_runtime::pages::Text;

use crate::workspace::agents::May;

pub fn may(may: May) -> Text {
    match may {
        May::Read => text!("Only read"),
        May::Propose => text!("Read, comment and propose edits"),
        May::Apply => text!("Whatever its grant and the policy of the workspace allow"),
    }
}
