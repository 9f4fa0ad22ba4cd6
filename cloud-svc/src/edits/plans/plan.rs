//! An edit plan: its row, its states, and its record as clients see it.

use std::collections::BTreeSet;

use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared_model::{Etag, Failure, Refusal, Timestamp, json_column::Json};
use shared_runtime::{Answer, identity::Actor};
use utoipa::ToSchema;

use crate::{
    base::{
        codes,
        ids::{FileId, PlanId, VersionId},
        links::FileLinks,
        tables::edit_plans,
    },
    files::file::File,
};
use cloud_content::{
    part_id::PartId,
    preview::{Change, Counts, PlanWarning},
};

shared_model::text_enum! {
    /// Where a plan is on its way, as it is stored.
    pub enum StoredState {
        /// It can be applied.
        Proposed = "proposed",
        /// Somebody else is asked to look at it.
        InReview = "in_review",
        /// Somebody else has approved it.
        Approved = "approved",
        /// Somebody else has rejected it.
        Rejected = "rejected",
        /// It was given up.
        Discarded = "discarded",
        /// It has been applied.
        Applied = "applied",
    }
    /// Where a plan is on its way.
    pub enum PlanState {
        /// It can be applied.
        Proposed = "proposed",
        /// Somebody else is asked to look at it.
        InReview = "in_review",
        /// Somebody else has approved it.
        Approved = "approved",
        /// Somebody else has rejected it.
        Rejected = "rejected",
        /// It was given up.
        Discarded = "discarded",
        /// It has been applied.
        Applied = "applied",
        /// Its time is over.
        Expired = "expired",
    }
}

/// A plan without what is long.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = edit_plans)]
pub struct Plan {
    /// Its id.
    pub id: PlanId,
    /// The file that it would change.
    pub file_id: FileId,
    /// The grant under which it was proposed.
    pub grant_id: String,
    /// Who proposed it.
    pub actor: Json<Actor>,
    /// The kind of content.
    pub kind: String,
    /// Where it is on its way, but for its end.
    pub state: StoredState,
    /// The version that it is for.
    pub base_version_id: VersionId,
    /// The revision of the file's record that it is for.
    pub base_meta_revision: i64,
    /// SHA-256 of the content that it comes to.
    pub proposal_sha256: String,
    /// SHA-256 of the content of its base.
    pub base_sha256: String,
    /// Its review, if somebody has asked for one.
    pub review: Option<Json<Review>>,
    /// When it was proposed.
    pub created_at: Timestamp,
    /// When it can no longer be applied.
    pub expires_at: Timestamp,
    /// The version that came of it.
    pub applied_version_id: Option<VersionId>,
}

/// The review of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Review {
    /// Whether there is a verdict.
    pub state: ReviewState,
    /// Who asked for it.
    pub requested_by: Actor,
    /// What they asked: untrusted.
    #[schema(required, max_length = 1000, example = "Is the date right?")]
    pub note: Option<String>,
    /// The verdict.
    #[schema(required)]
    pub verdict: Option<Verdict>,
    /// Whose it is.
    #[schema(required)]
    pub by: Option<Actor>,
    /// Why: untrusted.
    #[schema(required, max_length = 1000, example = json!(null))]
    pub reason: Option<String>,
    /// When it was given.
    #[schema(required)]
    pub at: Option<Timestamp>,
}

shared_model::text_enum! {
    /// Whether a review has ended.
    pub enum ReviewState {
        /// There is no verdict yet.
        Requested = "requested",
        /// There is a verdict.
        Done = "done",
    }
    /// What a reviewer says.
    pub enum Verdict {
        /// It may be applied.
        Approved = "approved",
        /// It must not be applied.
        Rejected = "rejected",
    }
}

impl Plan {
    /// Where it is on its way at this time.
    pub fn state(&self, now: Timestamp) -> PlanState {
        let is_over = now >= self.expires_at;
        match self.state {
            StoredState::Applied => PlanState::Applied,
            StoredState::Discarded => PlanState::Discarded,
            StoredState::Rejected => PlanState::Rejected,
            StoredState::Proposed | StoredState::InReview | StoredState::Approved if is_over => PlanState::Expired,
            StoredState::Proposed => PlanState::Proposed,
            StoredState::InReview => PlanState::InReview,
            StoredState::Approved => PlanState::Approved,
        }
    }

    /// Whether it changes nothing.
    pub fn is_no_op(&self) -> bool {
        self.proposal_sha256 == self.base_sha256
    }

    /// The tag of the state of the file that it is for.
    pub fn base_etag(&self, records: &FileLinks) -> Etag {
        records.etag_of(self.file_id, Some(self.base_version_id), self.base_meta_revision)
    }

    /// 409 once it is applied, discarded or rejected.
    pub fn check_open(&self, records: &FileLinks, file: &File) -> Result<(), Refusal> {
        match self.state {
            StoredState::Applied => Err(records.refresh(&codes::PLAN_ALREADY_APPLIED, file)),
            StoredState::Discarded => Err(records.refresh(&codes::PLAN_DISCARDED, file)),
            StoredState::Rejected => Err(records.refresh(&codes::PLAN_REJECTED, file)),
            StoredState::Proposed | StoredState::InReview | StoredState::Approved => Ok(()),
        }
    }
}

/// The plan as it is previewed: stored once, and shown as it is.
#[derive(Serialize, Deserialize)]
pub struct StoredPreview {
    /// The number of its operations.
    pub operations: usize,
    /// JSON text of its [`Summary`].
    pub summary: Box<RawValue>,
    /// JSON text of its changes.
    pub changes: Box<RawValue>,
    /// JSON text of its warnings.
    pub warnings: Box<RawValue>,
}

/// What comes with the content of a plan when it is applied.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Effects {
    /// Ids of parts that go.
    pub gone_part_ids: Vec<PartId>,
    /// Domains that the content links to.
    pub link_domains: BTreeSet<String>,
    /// What readers should know of the content, as a JSON array.
    pub content_warnings: Option<String>,
}

/// The changes of a plan, counted and measured.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Summary {
    /// The counts.
    #[serde(flatten)]
    pub counts: Counts,
    /// Bytes of the content before.
    pub bytes_before: i64,
    /// Bytes of the content after.
    pub bytes_after: i64,
}

/// A plan as clients see it.
#[derive(Serialize, ToSchema)]
pub struct PlanRecord {
    /// Its id.
    pub id: PlanId,
    /// The file that it would change.
    pub file_id: FileId,
    /// The kind of content: `docs`, `sheets`, `note`, `publication` or `presentation`.
    #[schema(example = "docs")]
    pub kind: String,
    /// Where it is on its way.
    pub state: PlanState,
    /// The version that it is for.
    pub base_version_id: VersionId,
    /// The tag that the file had then.
    pub base_etag: Etag,
    /// Whether the file has changed since.
    pub stale: bool,
    /// Whether it changes nothing: applied, it makes no version.
    pub no_op: bool,
    /// The number of its operations.
    #[schema(minimum = 1, maximum = 50)]
    pub operations: usize,
    /// SHA-256 of the content that it comes to; an approval is of this content.
    #[schema(pattern = "^[0-9a-f]{64}$", example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    pub proposal_sha256: String,
    /// The changes, counted.
    #[schema(value_type = Summary)]
    pub summary: Box<RawValue>,
    /// Every change, in the order of the operations; only where one plan is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<Change>)]
    pub changes: Option<Box<RawValue>>,
    /// What a reviewer should look at.
    #[schema(value_type = Vec<PlanWarning>)]
    pub warnings: Box<RawValue>,
    /// Its review; null while nobody has asked for one.
    #[schema(required)]
    pub review: Option<Review>,
    /// Who proposed it.
    pub actor: Actor,
    /// Where it is applied.
    #[schema(example = "/v1/documents/file_12/edit-plans/plan_0123456789abcdef0123456789abcdef/apply")]
    pub apply_url: String,
    /// When it was proposed.
    pub created_at: Timestamp,
    /// When it can no longer be applied.
    pub expires_at: Timestamp,
    /// The version that came of it; null before it is applied, and where it changes nothing.
    #[schema(required)]
    pub applied_version_id: Option<VersionId>,
}

impl PlanRecord {
    /// The record of a plan for this file, as it is now.
    pub fn of(plan: Plan, preview: &str, file: &File, records: &FileLinks, now: Timestamp) -> Result<Self, Failure> {
        let StoredPreview { operations, summary, changes, warnings } = serde_json::from_str(preview)?;
        let base_etag = plan.base_etag(records);
        let collection = file.kind.collection().unwrap_or("files");
        Ok(Self {
            state: plan.state(now),
            stale: base_etag != records.etag(file),
            no_op: plan.is_no_op(),
            apply_url: format!("/v1/{collection}/{}/edit-plans/{}/apply", file.id, plan.id),
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
            review: plan.review.map(|Json(review)| review),
            actor: plan.actor.0,
            created_at: plan.created_at,
            expires_at: plan.expires_at,
            applied_version_id: plan.applied_version_id,
        })
    }
}

/// An answer with one plan.
#[derive(Serialize, ToSchema)]
pub struct PlanAnswer {
    /// The plan.
    pub plan: PlanRecord,
    /// Always true: what the plan would write is not from the service.
    pub content_is_untrusted: bool,
}

impl PlanAnswer {
    /// 200 with a plan.
    pub fn ok(plan: PlanRecord) -> Result<Answer<Self>, Failure> {
        Answer::ok(&Self { plan, content_is_untrusted: true })
    }
}
