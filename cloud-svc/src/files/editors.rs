//! Who wrote the edits of a version.

use serde::{Deserialize, Serialize};
use shared_runtime::identity::Actor;

/// The people and agents behind the plan that made a version. Stored with it, because plans are deleted after a while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Editors {
    pub author: Actor,
    /// Who amended the plan.
    pub co_authors: Vec<Actor>,
    pub approved_by: Option<Actor>,
}
