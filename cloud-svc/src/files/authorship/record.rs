//! Runs for clients.

use serde::{Deserialize, Serialize};
use shared_model::{Timestamp, json_column::Json};
use shared_runtime::identity::Actor;
use utoipa::ToSchema;

use super::store::MadeBy;
use crate::base::ids::{PlanId, VersionId};

/// Neighboring parts that one version wrote.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AuthorshipRun {
    /// The first and the last part, or the only one: blocks `b_1:b_4`, lines `content!3:9`, cells `Budget!A1:B2`, a page
    /// and its elements `p_1:e_4`. Names of sheets are untrusted.
    #[serde(rename = "where")]
    #[schema(example = "b_1:b_4")]
    pub place: String,
    /// The version that wrote it. Null for text from before authors were kept, of which nothing is known.
    #[schema(required)]
    pub version_id: Option<VersionId>,
    /// Who wrote it: the author of the plan, or who made the version without one. Null if unknown.
    #[schema(required)]
    pub author: Option<Actor>,
    /// Who amended the plan.
    #[schema(max_items = 50)]
    pub co_authors: Vec<Actor>,
    /// Who approved the plan. Null if nobody did, or if unknown.
    #[schema(required)]
    pub approved_by: Option<Actor>,
    /// When the version was made.
    #[schema(required)]
    pub at: Option<Timestamp>,
    /// The plan that made the version. Null without one.
    #[schema(required)]
    pub plan_id: Option<PlanId>,
}

impl AuthorshipRun {
    /// `made` is the version that wrote it, if known.
    pub fn new(place: String, made: Option<MadeBy>) -> Self {
        let (mut author, mut co_authors, mut approved_by) = (None, Vec::new(), None);
        let (mut version_id, mut at, mut plan_id) = (None, None, None);
        if let Some(made) = made {
            (version_id, at, plan_id) = (Some(made.id), Some(made.created_at), made.plan_id);
            match (made.edited_by, made.plan_id) {
                (Some(Json(editors)), _) => {
                    author = Some(editors.author);
                    (co_authors, approved_by) = (editors.co_authors, editors.approved_by);
                }
                // A plan that was applied before editors were kept: who applied it need not have written it.
                (None, Some(_)) => {}
                (None, None) => author = Some(made.created_by.0),
            }
        }
        Self { place, version_id, author, co_authors, approved_by, at, plan_id }
    }
}
