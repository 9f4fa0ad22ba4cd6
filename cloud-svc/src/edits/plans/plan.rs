//! An edit plan: its row and its states.

use std::collections::BTreeSet;

use diesel::prelude::*;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use shared_model::{Code, Error, Etag, Failure, NextAction, Refusal, Timestamp, json_column::Json};
use shared_runtime::identity::{Actor, ActorKind};
use utoipa::ToSchema;

use super::{change_note::ChangeNote, lineage::Lineage};
use crate::{
    base::{
        author::{self, Author},
        codes,
        ids::{CommentId, FileId, PlanId, ProposalId, VersionId},
        links::FileLinks,
        plan_state::StoredState,
        tables::edit_plans,
    },
    files::{editors::Editors, file::File},
};
use cloud_content::{
    part_id::PartId,
    preview::{ChangeKind, ChangedPlace, Counts},
};

shared_model::text_enum! {
    /// The state of a plan.
    pub enum PlanState {
        Proposed = "proposed",
        InReview = "in_review",
        Approved = "approved",
        /// A reviewer has sent it back: its author revises or discards it.
        Returned = "returned",
        Rejected = "rejected",
        Discarded = "discarded",
        Applied = "applied",
        Expired = "expired",
    }
}

// Without preview, operations and content, which may be megabytes.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
// NULL is written as such, so that the text of the insert is always the same and is prepared once.
#[diesel(table_name = edit_plans, treat_none_as_default_value = false)]
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
    pub derived_from: Option<PlanId>,
    pub lineage: Json<Lineage>,
    /// The proposal with which it is decided.
    pub proposal_id: Option<ProposalId>,
    /// The comment that it answers, which may have been deleted since.
    pub answers_comment_id: Option<CommentId>,
    /// What its content takes of the workspace's storage; 0 once it can no longer be applied.
    pub content_bytes: i64,
    /// What its operations and its preview take.
    pub text_bytes: i64,
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
    /// The reason of a rejection or of a return: untrusted.
    #[schema(required, max_length = 1000, example = json!(null))]
    pub reason: Option<String>,
    /// Remarks on single changes of a plan that is sent back.
    // Reviews that were stored before had none.
    #[serde(default)]
    #[schema(required, max_items = 100, example = json!([]))]
    pub on: Vec<ChangeNote>,
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
        Returned = "returned",
        Rejected = "rejected",
    }
}

impl Plan {
    pub fn state(&self, now: Timestamp) -> PlanState {
        // Only an open plan can expire. What became of the others stays visible.
        match self.state {
            StoredState::Applied => PlanState::Applied,
            StoredState::Discarded => PlanState::Discarded,
            StoredState::Rejected => PlanState::Rejected,
            _ if self.is_over(now) => PlanState::Expired,
            StoredState::Proposed => PlanState::Proposed,
            StoredState::InReview => PlanState::InReview,
            StoredState::Approved => PlanState::Approved,
            StoredState::Returned => PlanState::Returned,
        }
    }

    /// Whether the time of an open plan is over.
    pub fn is_over(&self, now: Timestamp) -> bool {
        // A command that began before the end may run after the sweep, which has deleted the content.
        let is_swept = self.content_bytes == 0 && !self.is_no_op() && self.state != StoredState::Returned;
        now >= self.expires_at || is_swept
    }

    /// Whether the edits are by this author, or some of them.
    pub fn is_by(&self, author: &Author) -> bool {
        self.is_by_actor(&author.actor)
    }

    pub fn is_by_actor(&self, actor: &Actor) -> bool {
        let key = author::key(actor);
        key == self.author_key || self.lineage.co_authors.iter().any(|other| author::key(&other.actor) == key)
    }

    /// [`author::key`] of its author and of each co-author.
    pub fn author_keys(&self) -> Vec<String> {
        let co_authors = self.lineage.co_authors.iter().map(|other| author::key(&other.actor));
        co_authors.chain([self.author_key.clone()]).collect()
    }

    /// Whether this person, or an agent of this person, wrote some of the edits.
    pub fn is_of(&self, subject: &str) -> bool {
        self.author_subject == subject || self.lineage.co_authors.iter().any(|other| other.subject == subject)
    }

    pub fn is_no_op(&self) -> bool {
        self.proposal_sha256 == self.base_sha256
    }

    pub fn is_approved_by_person(&self) -> bool {
        let reviewer = self.review.as_ref().and_then(|review| review.by.as_ref());
        self.state == StoredState::Approved && reviewer.is_some_and(|reviewer| reviewer.kind == ActorKind::User)
    }

    /// Who wrote its edits, and who approved them.
    pub fn editors(&self) -> Editors {
        let approval = self.review.as_ref().filter(|review| review.verdict == Some(Verdict::Approved));
        Editors {
            author: self.actor.0.clone(),
            co_authors: self.lineage.co_authors.iter().map(|other| other.actor.clone()).collect(),
            approved_by: approval.and_then(|review| review.by.clone()),
        }
    }

    /// The ETag of the file for which it was proposed.
    pub fn base_etag(&self, links: &FileLinks) -> Etag {
        links.etag_of(self.file_id, Some(self.base_version_id), self.base_meta_revision)
    }

    /// 409 after its end, with the rebase that brings its edits back.
    pub fn check_not_expired(&self, at: Timestamp, links: &FileLinks, file: &File) -> Result<(), Refusal> {
        if self.is_over(at) { Err(self.rebase_first(&codes::PLAN_EXPIRED, links, file)) } else { Ok(()) }
    }

    /// What its texts take in memory.
    pub fn bytes(&self) -> usize {
        usize::try_from(self.content_bytes + self.text_bytes).unwrap_or_default()
    }

    pub fn is_stale(&self, links: &FileLinks, file: &File) -> bool {
        self.base_etag(links) != links.etag(file)
    }

    /// 409 if it is for another state of the file, with the rebase that helps.
    pub fn check_current(&self, links: &FileLinks, file: &File) -> Result<(), Refusal> {
        if self.is_stale(links, file) { Err(self.rebase_first(&codes::PLAN_STALE, links, file)) } else { Ok(()) }
    }

    /// A refusal until the plan is rebased. A plan that was sent back is revised instead.
    pub fn rebase_first(&self, code: &'static Code, links: &FileLinks, file: &File) -> Refusal {
        match self.check_not_returned(links) {
            Ok(()) => code.refusal().next(self.rebase(links, file)),
            Err(returned) => returned,
        }
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

    /// 409 if it is decided together with others.
    pub fn check_alone(&self, links: &FileLinks) -> Result<(), Refusal> {
        let Some(proposal) = self.proposal_id else { return Ok(()) };
        let href = links.url(&format!("/v1/proposals/{proposal}"));
        let refusal = codes::PLAN_STATE.because("The plan is part of a proposal, and is decided together with it.");
        Err(refusal.next(NextAction::Refresh { href, etag: None }))
    }

    /// 409 if a reviewer has sent it back: other edits are wanted.
    pub fn check_not_returned(&self, links: &FileLinks) -> Result<(), Refusal> {
        if self.state != StoredState::Returned {
            return Ok(());
        }
        let href = format!("{}/edit-plans/{}", links.href(self.file_id), self.id);
        let refusal = codes::PLAN_STATE.because("A reviewer has sent the plan back. Its author revises it.");
        Err(refusal.next(NextAction::Refresh { href, etag: None }))
    }

    /// 409 if it is applied, discarded or rejected.
    pub fn check_open(&self, links: &FileLinks, file: &File) -> Result<(), Refusal> {
        match self.state {
            StoredState::Applied => Err(links.refresh(&codes::PLAN_ALREADY_APPLIED, file)),
            StoredState::Discarded => Err(match self.lineage.superseded_by {
                Some(new) => {
                    let href = format!("{}/edit-plans/{new}", links.href(file.id));
                    let message = "Another plan has taken its place, or its parts have made all its changes.";
                    let refusal = codes::PLAN_DISCARDED.because(message);
                    refusal.next(NextAction::Refresh { href, etag: None })
                }
                None => links.refresh(&codes::PLAN_DISCARDED, file),
            }),
            StoredState::Rejected => Err(links.refresh(&codes::PLAN_REJECTED, file)),
            StoredState::Proposed | StoredState::InReview | StoredState::Approved | StoredState::Returned => Ok(()),
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
    /// [`cloud_content::spreadsheets::totals::Totals`]; absent for other types of files and in plans that were stored before there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<Box<RawValue>>,
}

impl StoredPreview {
    /// The kinds of its changes, in their order.
    pub fn kinds(preview: &str) -> Result<Vec<ChangeKind>, Failure> {
        #[derive(Deserialize)]
        struct Listed {
            kind: ChangeKind,
        }
        Ok(Self::listed::<Listed>(preview)?.into_iter().map(|change| change.kind).collect())
    }

    /// The kind and the place of each change of the preview, in order.
    pub fn places(preview: &str) -> Result<Vec<(ChangeKind, ChangedPlace)>, Failure> {
        #[derive(Deserialize)]
        struct Listed {
            kind: ChangeKind,
            #[serde(flatten)]
            place: ChangedPlace,
        }
        Ok(Self::listed::<Listed>(preview)?.into_iter().map(|change| (change.kind, change.place)).collect())
    }

    fn listed<T: DeserializeOwned>(preview: &str) -> Result<Vec<T>, Failure> {
        let Self { changes, .. } = serde_json::from_str(preview)?;
        Ok(serde_json::from_str(changes.get())?)
    }
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
