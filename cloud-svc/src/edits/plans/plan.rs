//! An edit plan: its row, its states, and its record for clients.

use std::collections::BTreeSet;

use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared_model::{Code, Error, Etag, Failure, NextAction, Refusal, Timestamp, json_column::Json};
use shared_runtime::{
    Answer,
    identity::{Actor, ActorKind},
};
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
    file_type::FileType,
    kinds::native_kind,
    part_id::PartId,
    preview::{Change, Counts, PlanWarning},
    spreadsheets::totals::Totals,
};

shared_model::text_enum! {
    /// The stored state of a plan.
    // Without `expired`, which follows from the clock: no write is needed at the end of a plan.
    pub enum StoredState {
        Proposed = "proposed",
        InReview = "in_review",
        Approved = "approved",
        Rejected = "rejected",
        Discarded = "discarded",
        Applied = "applied",
    }
    /// A state in which a plan can be decided about.
    pub enum OpenState {
        Proposed = "proposed",
        InReview = "in_review",
        Approved = "approved",
    }
    /// The state of a plan.
    pub enum PlanState {
        Proposed = "proposed",
        InReview = "in_review",
        Approved = "approved",
        Rejected = "rejected",
        Discarded = "discarded",
        Applied = "applied",
        Expired = "expired",
    }
}

/// The states in which a plan can still be decided about, until it expires.
pub const OPEN: [StoredState; 3] = [StoredState::Proposed, StoredState::InReview, StoredState::Approved];

impl OpenState {
    pub fn stored(self) -> StoredState {
        match self {
            Self::Proposed => StoredState::Proposed,
            Self::InReview => StoredState::InReview,
            Self::Approved => StoredState::Approved,
        }
    }
}

// Without preview, operations and content, which may be megabytes.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = edit_plans)]
pub struct Plan {
    pub id: PlanId,
    pub file_id: FileId,
    /// The author of the edits.
    pub actor: Json<Actor>,
    /// [`crate::base::author::key`] of the author.
    pub author_key: String,
    /// The owner of the author's grant.
    pub author_subject: String,
    pub kind: String,
    pub state: StoredState,
    pub base_version_id: VersionId,
    /// The revision of the file's record, which its ETag names together with the version.
    pub base_meta_revision: i64,
    /// SHA-256 of the content that it would write.
    pub proposal_sha256: String,
    pub base_sha256: String,
    pub review: Option<Json<Review>>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub applied_version_id: Option<VersionId>,
    pub confirmed_at: Option<Timestamp>,
    /// SHA-256 of the operations as they were sent.
    pub sent_sha256: String,
    pub rebased_from: Option<PlanId>,
    /// `None` if the author rebased it.
    pub rebased_by: Option<Json<Actor>>,
    pub is_approval_carried: bool,
}

/// The review of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Review {
    pub state: ReviewState,
    pub requested_by: Actor,
    /// What the reviewer should know: untrusted.
    #[schema(required, max_length = 1000, example = "Is the date right?")]
    pub note: Option<String>,
    #[schema(required)]
    pub verdict: Option<Verdict>,
    /// The reviewer.
    #[schema(required)]
    pub by: Option<Actor>,
    /// The reason of a rejection: untrusted.
    #[schema(required, max_length = 1000, example = json!(null))]
    pub reason: Option<String>,
    /// The time of the verdict.
    #[schema(required)]
    pub at: Option<Timestamp>,
}

shared_model::text_enum! {
    /// Whether a review has ended.
    pub enum ReviewState {
        Requested = "requested",
        Done = "done",
    }
    /// Whose word a confirmation is.
    pub enum ConfirmedThrough {
        /// The client of the MCP endpoint.
        Client = "client",
    }
    /// The verdict of a reviewer.
    pub enum Verdict {
        Approved = "approved",
        Rejected = "rejected",
    }
}

impl Plan {
    pub fn state(&self, now: Timestamp) -> PlanState {
        // Only an open plan can expire. What became of the others stays visible.
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

    pub fn is_no_op(&self) -> bool {
        self.proposal_sha256 == self.base_sha256
    }

    pub fn is_approved_by_person(&self) -> bool {
        let reviewer = self.review.as_ref().and_then(|review| review.by.as_ref());
        self.state == StoredState::Approved && reviewer.is_some_and(|reviewer| reviewer.kind == ActorKind::User)
    }

    /// The ETag of the file for which it was proposed.
    pub fn base_etag(&self, links: &FileLinks) -> Etag {
        links.etag_of(self.file_id, Some(self.base_version_id), self.base_meta_revision)
    }

    pub fn is_stale(&self, links: &FileLinks, file: &File) -> bool {
        self.base_etag(links) != links.etag(file)
    }

    /// 409 if it is for another state of the file, with the rebase that helps.
    pub fn check_current(&self, links: &FileLinks, file: &File) -> Result<(), Refusal> {
        if self.is_stale(links, file) { Err(self.rebase_first(&codes::PLAN_STALE, links, file)) } else { Ok(()) }
    }

    /// A refusal until the plan is rebased.
    pub fn rebase_first(&self, code: &'static Code, links: &FileLinks, file: &File) -> Refusal {
        code.refusal().next(self.rebase(links, file))
    }

    /// A refusal of a stale plan leads to its rebase: a fresh look alone would only lead to the next refusal.
    pub fn rebase_if_stale(&self, links: &FileLinks, file: &File, error: Error) -> Error {
        match error {
            Error::Refused(refusal) if self.is_stale(links, file) => refusal.next(self.rebase(links, file)).into(),
            error => error,
        }
    }

    pub fn rebase(&self, links: &FileLinks, file: &File) -> NextAction {
        let etag = Some(links.etag(file).to_string());
        let href = format!("{}/edit-plans/{}/rebase", links.href(file.id), self.id);
        NextAction::Rebase { href, etag }
    }

    /// 409 if it is applied, discarded or rejected.
    pub fn check_open(&self, links: &FileLinks, file: &File) -> Result<(), Refusal> {
        match self.state {
            StoredState::Applied => Err(links.refresh(&codes::PLAN_ALREADY_APPLIED, file)),
            StoredState::Discarded => Err(links.refresh(&codes::PLAN_DISCARDED, file)),
            StoredState::Rejected => Err(links.refresh(&codes::PLAN_REJECTED, file)),
            StoredState::Proposed | StoredState::InReview | StoredState::Approved => Ok(()),
        }
    }
}

/// The stored preview of a plan.
// As raw JSON: it is shown as it is stored, and changes may be megabytes.
#[derive(Serialize, Deserialize)]
pub struct StoredPreview {
    pub operations: usize,
    /// A [`Summary`].
    pub summary: Box<RawValue>,
    pub changes: Box<RawValue>,
    pub warnings: Box<RawValue>,
    /// [`Totals`]; absent for other types of files and in plans that were stored before there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<Box<RawValue>>,
}

/// What else a plan writes when it is applied.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Effects {
    /// The ids of deleted parts.
    pub gone_part_ids: Vec<PartId>,
    pub link_domains: BTreeSet<String>,
    /// The warnings for readers of the content, as a JSON array.
    pub content_warnings: Option<String>,
}

/// The numbers and sizes of a plan's changes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct Summary {
    #[serde(flatten)]
    pub counts: Counts,
    /// Bytes of the old content.
    pub bytes_before: i64,
    /// Bytes of the new content.
    pub bytes_after: i64,
}

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
    /// The name of the file: untrusted. Only in the list of the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, max_length = 190, example = "Minutes")]
    pub file_name: Option<String>,
    /// Only in the list of the workspace.
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
pub struct ProposalAnswer {
    pub plan: PlanRecord,
    /// True if the author has an open plan with the same operations for this state of the file: that plan is answered,
    /// and no other is made.
    pub joined: bool,
    /// Always true: the plan quotes the content.
    pub content_is_untrusted: bool,
}

impl ProposalAnswer {
    pub fn ok(plan: PlanRecord, joined: bool) -> Result<Answer<Self>, Failure> {
        Answer::ok(&Self { plan, joined, content_is_untrusted: true })
    }
}

impl PlanAnswer {
    pub fn ok(plan: PlanRecord) -> Result<Answer<Self>, Failure> {
        Answer::ok(&Self { plan, content_is_untrusted: true })
    }
}
