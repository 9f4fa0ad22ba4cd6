//! Carries out the operations of a plan: the content that it would write, and the preview.

use std::time::Duration;

use serde_json::value::to_raw_value;
use shared_model::{Error, Failure, Problem, Random, Refusal, code, json_column::Json, json_reader, words};
use shared_runtime::Conn;

use super::{
    lineage::Lineage,
    operation::SentOperations,
    plan::{Effects, Plan, StoredPreview, Summary},
    warnings::{self, Compared},
};
use crate::{
    base::{
        author, codes,
        ids::{FileId, PlanId, VersionId},
        limits::EDIT_PLAN_SECONDS,
        plan_state::StoredState,
    },
    files::{
        authorship::{self, store::Written},
        file::File,
        retired_part_ids,
    },
    workspace::command::ChangeContext,
};
use cloud_content::{canonical::Canonical, content::Content, edited::edited, kinds, of_kind, preview::WarningCode};

/// The state of the file for which a plan is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base {
    pub file: FileId,
    pub version: VersionId,
    pub meta_revision: i64,
}

impl Base {
    /// `None` for a folder, which has no versions.
    pub fn of_file(file: &File) -> Option<Self> {
        Some(Self { file: file.id, version: file.current_version_id?, meta_revision: file.meta_revision })
    }
}

/// A plan that is not stored yet.
#[derive(Clone, Debug)]
pub struct NewPlan {
    pub base: Base,
    pub kind: &'static str,
    /// The content that it would write.
    pub content: Canonical,
    /// In hexadecimal digits.
    pub base_sha256: String,
    /// JSON of [`Effects`].
    pub effects: String,
    /// JSON of [`StoredPreview`].
    pub preview: String,
    /// A JSON array.
    pub operations: String,
    /// SHA-256 of the operations as they were sent.
    pub sent_sha256: String,
    /// Who writes which part of `content`, as versions keep it; none for a plan that changes nothing.
    pub authorship: Option<String>,
    /// Whether it shows exactly what the plan that it is rebased from shows.
    pub shows_the_same: bool,
}

impl NewPlan {
    pub fn bytes(&self) -> usize {
        let authorship = self.authorship.as_ref().map_or(0, String::len);
        self.content.as_str().len() + self.preview.len() + self.operations.len() + authorship
    }

    pub fn is_no_op(&self) -> bool {
        self.content.sha256_hex() == self.base_sha256
    }

    /// Carries out what was sent on the file's current content. 422 for operations that files of its type do not have.
    pub fn of_sent(conn: &mut Conn, file: &File, sent: &SentOperations, random: &Random) -> Result<Self, Error> {
        let made = of_kind!(file.kind, C => Self::make::<C>(conn, file, &sent.read::<C>(random)?, sent.sha256())?);
        made.ok_or_else(|| no_content(file))
    }

    /// Carries out the operations on the current content of the file.
    pub fn make<C: Content>(
        conn: &mut Conn,
        file: &File,
        operations: &[C::Operation],
        sent_sha256: String,
    ) -> Result<Self, Error> {
        let base = Base::of_file(file).ok_or_else(|| no_content(file))?;
        let written = authorship::store::find_of(conn, file.id, base.version)?.ok_or_else(code::not_found)?;
        Ok(Self { sent_sha256, ..carry_out::<C>(conn, file, base, &written, operations)? })
    }

    /// The caller's plan, proposed now.
    pub fn plan(&self, id: PlanId, by: &ChangeContext) -> Plan {
        Plan {
            id,
            file_id: self.base.file,
            actor: Json(by.author.actor.clone()),
            author_key: author::key(&by.author.actor),
            author_subject: by.author.subject.clone(),
            kind: self.kind.to_owned(),
            state: StoredState::Proposed,
            base_version_id: self.base.version,
            base_meta_revision: self.base.meta_revision,
            proposal_sha256: self.content.sha256_hex(),
            base_sha256: self.base_sha256.clone(),
            review: None,
            created_at: by.at,
            expires_at: by.at.plus(Duration::from_secs(EDIT_PLAN_SECONDS)),
            applied_version_id: None,
            confirmed_at: None,
            sent_sha256: self.sent_sha256.clone(),
            rebased_from: None,
            rebased_by: None,
            is_approval_carried: false,
            derived_from: None,
            lineage: Json(Lineage::first()),
            proposal_id: None,
            answers_comment_id: None,
            // A plan that changes nothing keeps no content.
            content_bytes: if self.is_no_op() { 0 } else { self.content.bytes() },
            text_bytes: i64::try_from(self.operations.len() + self.preview.len()).unwrap_or(i64::MAX),
        }
    }
}

/// 422 for files without content that plans can edit.
fn no_content(file: &File) -> Error {
    let words: Vec<_> = kinds::ALL.iter().map(|kind| kind.file_type.as_str()).collect();
    let rule = format!("must be one of {}; the file has the type {}", words::join_and(&words), file.kind.as_str());
    Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: "file_id".to_owned(), rule }]).into()
}

fn carry_out<C: Content>(
    conn: &mut Conn,
    file: &File,
    base: Base,
    Written { kept, stored }: &Written,
    operations: &[C::Operation],
) -> Result<NewPlan, Error> {
    let text = stored.content.as_str();
    if C::is_read_only(text) == Some(true) {
        return Err(codes::WORKBOOK_READ_ONLY.refusal().into());
    }
    // On the text, before parsing: a read-only workbook may be large.
    let before: C = serde_json::from_str(text).map_err(Failure::from)?;
    let operations_json = serde_json::to_string(operations).map_err(Failure::from)?;
    let retired = retired_part_ids::among_those_of(conn, file.id, &operations_json)?;
    let (after, mut preview) = edited(&before, operations, retired)?;
    let content = Canonical::from_content(&after)?;
    // Of the stored bytes: a plan changes nothing only if it would write the same bytes.
    let base_sha256 = stored.sha256.clone();
    let links = content.link_domains();
    warnings::add(conn, file, Compared { before: &before, after: &after, operations, links }, &mut preview)?;
    // Only of links that the plan shows: its author and its reviewer may not have seen the other links of the file.
    let added = preview.warnings.iter().filter(|warning| warning.code == WarningCode::LinkAdded);
    let effects = Effects {
        gone_part_ids: before.gone_part_ids(&after).into_iter().cloned().collect(),
        link_domains: added.map(|warning| warning.detail.clone()).filter(|domain| links.contains(domain)).collect(),
        content_warnings: content.warnings().map(str::to_owned),
    };
    let totals = before.totals(&after, operations, &mut preview.warnings)?;
    let is_no_op = content.sha256_hex() == base_sha256;
    // Now, when both contents are there, and not while the file waits for its next version.
    let authorship = (!is_no_op).then(|| authorship::kept::edited(kept, (&before, &after), operations)).transpose()?;
    // There may be a hundred thousand cells, and the check makes copies of them.
    drop(before);
    // Unchanged content was checked when it was written.
    if !is_no_op {
        check_result(after, &content)?;
    }
    let summary = Summary {
        counts: preview.counts,
        bytes_before: i64::try_from(text.len()).unwrap_or(i64::MAX),
        bytes_after: content.bytes(),
    };
    let shown = StoredPreview {
        operations: operations.len(),
        summary: to_raw_value(&summary).map_err(Failure::from)?,
        changes: to_raw_value(&preview.changes).map_err(Failure::from)?,
        warnings: to_raw_value(&preview.warnings).map_err(Failure::from)?,
        totals,
    };
    Ok(NewPlan {
        base,
        kind: C::KIND.plan_kind,
        base_sha256,
        effects: serde_json::to_string(&effects).map_err(Failure::from)?,
        preview: serde_json::to_string(&shown).map_err(Failure::from)?,
        operations: operations_json,
        content,
        sent_sha256: String::new(),
        authorship,
        shows_the_same: false,
    })
}

/// 422 if the result breaks a rule of the whole content, such as the number of blocks.
fn check_result<C: Content>(result: C, content: &Canonical) -> Result<(), Error> {
    let value = serde_json::to_value(&result).map_err(Failure::from)?;
    drop(result);
    let mut problems = json_reader::read::<C>(&value).err().unwrap_or_default();
    problems.extend(content.too_long());
    if problems.is_empty() {
        return Ok(());
    }
    // At the operations: a pointer into a result that nobody has seen would not help the caller.
    let at_operations = |Problem { at, rule }| Problem {
        at: "/operations".to_owned(),
        rule: format!("would break a rule of the content: {}{}{rule}", at, if at.is_empty() { "it " } else { " " }),
    };
    Err(Refusal::problems(&code::INVALID_FIELD, problems.into_iter().map(at_operations).collect()).into())
}
