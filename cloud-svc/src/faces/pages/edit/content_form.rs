//! What the form of a content shows.

use maud::Markup;
use shared_runtime::pages::TypedText;

use crate::base::ids::VersionId;

pub struct ContentForm {
    /// The version that its fields are about.
    pub version: VersionId,
    pub fields: Markup,
    /// Says what happens to the edits that others have made meanwhile.
    pub meanwhile: Markup,
    /// The typed texts that are not in the fields; `None` if the page itself tells.
    pub lost: Option<Vec<TypedText>>,
}
