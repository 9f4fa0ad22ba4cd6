//! The record of an edit plan for clients, and the answers that have it.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared_model::{Etag, Failure, Timestamp, json_column::Json};
use shared_runtime::{Answer, identity::Actor};
use utoipa::ToSchema;

use super::{
    lineage::Derivation,
    plan::{ConfirmedThrough, Plan, PlanState, Review, StoredPreview, Summary},
};
use crate::{
    base::{
        ids::{CommentId, FileId, PlanId, ProposalId, VersionId},
        links::FileLinks,
    },
    files::file::File,
};
use cloud_content::{
    file_type::FileType,
    kinds::native_kind,
    preview::{Change, PlanWarning},
    spreadsheets::totals::Totals,
};

/// An edit plan.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct PlanRecord {
    pub id: PlanId,
    pub file_id: FileId,
    /// The kind of content, for example `docs` or `sheets`.
    #[schema(example = "docs")]
    pub kind: String,
    pub state: PlanState,
    pub base_version_id: VersionId,
    /// The ETag of the file for which it was proposed.
    pub base_etag: Etag,
    /// Whether the file has changed since then.
    pub stale: bool,
    /// Whether it changes nothing. Applying it adds no version.
    pub no_op: bool,
    /// The number of its operations.
    #[schema(minimum = 1, maximum = 50)]
    pub operations: usize,
    /// SHA-256 of the content that it would write. An approval is of this content.
    #[schema(pattern = "^[0-9a-f]{64}$", example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    pub proposal_sha256: String,
    #[schema(value_type = Summary)]
    pub summary: Box<RawValue>,
    /// All changes in the order of the operations. Absent in lists and in the answer of apply.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<Change>)]
    pub changes: Option<Box<RawValue>>,
    /// What a reviewer should check.
    #[schema(value_type = Vec<PlanWarning>)]
    pub warnings: Box<RawValue>,
    /// Computed values of a spreadsheet that change although no operation names their cells. Absent for other types, in
    /// lists and in the answer of apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Totals>, nullable = false)]
    pub totals: Option<Box<RawValue>>,
    /// Null until somebody requests a review.
    #[schema(required)]
    pub review: Option<Review>,
    /// The author of the edits. A rebase keeps the author.
    pub actor: Actor,
    /// The plan that it was rebased from; null for a new proposal.
    #[schema(required, example = json!(null))]
    pub rebased_from: Option<PlanId>,
    /// Who rebased it; null if the author did.
    #[schema(required)]
    pub rebased_by: Option<Actor>,
    /// Who wrote some of the edits too, or those before a revision.
    #[schema(max_items = 50)]
    pub co_authors: Vec<Actor>,
    /// 2 and more for plans that their author revised.
    #[schema(minimum = 1)]
    pub revision: i64,
    /// The plan of which it is a part, an amendment or a revision. Null without one.
    #[schema(required)]
    pub derived_from: Option<Derivation>,
    /// The plan that took its place: its rebase, amendment or next revision, or the last of its parts. Null without one.
    #[schema(required, example = json!(null))]
    pub superseded_by: Option<PlanId>,
    /// The proposal with which it is decided. Null without one.
    #[schema(required, example = json!(null))]
    pub proposal_id: Option<ProposalId>,
    /// The comment that it answers, which may have been deleted since. Null without one.
    #[schema(required, example = json!(null))]
    pub answers_comment_id: Option<CommentId>,
    /// The plan whose approval counts for this one, because it has the same changes and warnings. Null without one.
    #[schema(required, example = json!(null))]
    pub approval_carried_from: Option<PlanId>,
    /// The URL that applies it.
    #[schema(example = "{base_url}/v1/documents/file_12/edit-plans/plan_0123456789abcdef0123456789abcdef/apply")]
    pub apply_url: String,
    pub created_at: Timestamp,
    /// From then on it cannot be applied.
    pub expires_at: Timestamp,
    /// The version that it added. Null until it is applied, and if it changes nothing.
    #[schema(required)]
    pub applied_version_id: Option<VersionId>,
    /// When the client of an agent said that a person agrees. Null if nobody was asked. It is the word of the client,
    /// and no approval.
    #[schema(required)]
    pub confirmed_at: Option<Timestamp>,
    #[schema(required)]
    pub confirmed_through: Option<ConfirmedThrough>,
    /// The name of the file: untrusted. Only in the list of the workspace and in proposals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, max_length = 190, example = "Minutes")]
    pub file_name: Option<String>,
    /// Only in the list of the workspace and in proposals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = FileType)]
    pub file_type: Option<FileType>,
}

impl PlanRecord {
    /// The record of a plan for this file.
    pub fn new(plan: Plan, preview: &str, file: &File, links: &FileLinks, now: Timestamp) -> Result<Self, Failure> {
        let StoredPreview { operations, summary, changes, warnings, totals } = serde_json::from_str(preview)?;
        let (base_etag, stale) = (plan.base_etag(links), plan.is_stale(links, file));
        let collection = native_kind(file.kind).map_or("files", |kind| kind.collection);
        Ok(Self {
            state: plan.state(now),
            stale,
            no_op: plan.is_no_op(),
            apply_url: links.url(&format!("/v1/{collection}/{}/edit-plans/{}/apply", file.id, plan.id)),
            id: plan.id,
            file_id: plan.file_id,
            kind: plan.kind,
            base_version_id: plan.base_version_id,
            base_etag,
            operations,
            proposal_sha256: plan.proposal_sha256,
            summary,
            changes: Some(changes),
            warnings,
            totals,
            review: plan.review.map(|Json(review)| review),
            actor: plan.actor.0,
            rebased_from: plan.rebased_from,
            rebased_by: plan.rebased_by.map(|Json(actor)| actor),
            derived_from: plan.derived_from.and_then(|from| plan.lineage.derivation(from)),
            superseded_by: plan.lineage.superseded_by,
            co_authors: plan.lineage.0.co_authors.into_iter().map(|other| other.actor).collect(),
            revision: plan.lineage.0.revision,
            proposal_id: plan.proposal_id,
            answers_comment_id: plan.answers_comment_id,
            approval_carried_from: plan.rebased_from.filter(|_| plan.is_approval_carried),
            created_at: plan.created_at,
            expires_at: plan.expires_at,
            applied_version_id: plan.applied_version_id,
            confirmed_at: plan.confirmed_at,
            confirmed_through: plan.confirmed_at.map(|_| ConfirmedThrough::Client),
            file_name: None,
            file_type: None,
        })
    }
}

#[derive(Serialize, Deserialize, ToSchema)]
pub struct PlanAnswer {
    pub plan: PlanRecord,
    /// Always true: the plan quotes the content.
    pub content_is_untrusted: bool,
}

/// A plan that was made now, or a plan that exists already.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct NewPlanAnswer {
    pub plan: PlanRecord,
    /// True if the author has an open plan with the same operations for this state of the file. That plan is the
    /// answer, and no other is made.
    pub joined: bool,
    /// Always true: the plan quotes the content.
    pub content_is_untrusted: bool,
}

impl NewPlanAnswer {
    pub fn ok(plan: PlanRecord, joined: bool) -> Result<Answer<Self>, Failure> {
        Answer::ok(&Self { plan, joined, content_is_untrusted: true })
    }
}

impl PlanAnswer {
    pub fn ok(plan: PlanRecord) -> Result<Answer<Self>, Failure> {
        Answer::ok(&Self { plan, content_is_untrusted: true })
    }
}
