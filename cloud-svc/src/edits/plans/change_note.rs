//! Remarks of a reviewer on changes.

use serde::Serialize;
use shared_model::rule::Text;

use cloud_content::change_id::ChangeId;

shared_model::json_object! {
    /// A remark on a change.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
    pub struct ChangeNote {
        /// A change of the plan.
        pub change: ChangeId,
        /// What the author should know of it: untrusted.
        pub text: String as Text<1000>,
    }
    example = {"change": "c1", "text": "This one is of 2024."};
}
