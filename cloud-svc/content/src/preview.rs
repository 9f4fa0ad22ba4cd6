//! What an edit plan shows before anything is changed: each change with what was there and what will be, and warnings.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use shared_model::{Code, Error, Failure, Problem, Refusal, code};
use utoipa::ToSchema;

use super::part_id::PartId;
use crate::{codes, limits::RESPONSE_BYTES};

/// One change that an operation makes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "op": 0, "kind": "replace", "block_id": "b_4",
    "before": {"id": "b_4", "type": "paragraph", "segments": [{"text": "Begin at 9:30."}]},
    "after": {"id": "b_4", "type": "paragraph", "segments": [{"text": "Begin at 10:00."}]},
}))]
pub struct Change {
    /// The index of the operation.
    #[schema(minimum = 0, maximum = 49)]
    pub op: usize,
    /// What becomes of it.
    pub kind: ChangeKind,
    /// Where it is.
    #[serde(flatten)]
    pub place: ChangedPlace,
    /// What was there: untrusted; null where there was nothing.
    #[schema(required, value_type = Option<Value>)]
    pub before: Option<Box<RawValue>>,
    /// What will be there: untrusted; null where there will be nothing.
    #[schema(required, value_type = Option<Value>)]
    pub after: Option<Box<RawValue>>,
}

shared_model::text_enum! {
    /// What becomes of a part of the content.
    pub enum ChangeKind {
        /// It was not there.
        Insert = "insert",
        /// It is another in the same place.
        Replace = "replace",
        /// It is gone.
        Delete = "delete",
        /// It is the same in another place.
        Move = "move",
    }
    /// How much a warning should worry a reviewer.
    pub enum Severity {
        /// Worth a look.
        Low = "low",
        /// Look at it before you apply.
        Medium = "medium",
        /// Ask a person before you apply.
        High = "high",
    }
    /// What a plan warns of.
    pub enum WarningCode {
        /// A formula is replaced by something else.
        FormulaOverwritten = "formula_overwritten",
        /// A cell breaks the validation rule that it has.
        ValidationViolated = "validation_violated",
        /// A comment is about something that will be gone.
        CommentAnchorLost = "comment_anchor_lost",
        /// A link is new; `detail` is its domain, and the severity is high when the workspace has no link to it yet.
        LinkAdded = "link_added",
        /// Characters are new that no reader sees.
        HiddenCharactersAdded = "hidden_characters_added",
        /// More than 30 percent of the bytes or more than 20 blocks are deleted.
        LargeDeletion = "large_deletion",
        /// The block of an annotation is deleted, and the annotation with it.
        AnnotationDetached = "annotation_detached",
    }
}

/// Where a change is. Only the members that the kind of content has are there.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct ChangedPlace {
    /// The block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_id: Option<PartId>,
    /// The sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The cell: `B2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// Whole rows or columns, or cells whose format or validation changes: `2:4`, `B:C`, `A1:B2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// The page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_id: Option<PartId>,
    /// The slide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slide_id: Option<PartId>,
    /// The element.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element_id: Option<PartId>,
    /// A member of the content or of the part: `title`, `settings`, `formats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<&'static str>,
    /// After which one it is inserted or moved: null at the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<PartId>)]
    pub after_id: Option<Option<PartId>>,
}

/// Something that a reviewer should look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlanWarning {
    /// What it is.
    pub code: WarningCode,
    /// The index of the operation that causes it; null where it is of all together.
    #[schema(required, minimum = 0, maximum = 49)]
    pub op: Option<usize>,
    /// Where: a block, a cell, an element, a comment; empty where it is the file.
    #[serde(rename = "where")]
    #[schema(example = "b_4")]
    pub place: String,
    /// How much it should worry.
    pub severity: Severity,
    /// More, as the code says: untrusted.
    #[schema(example = "evil.example")]
    pub detail: String,
}

/// The changes of a plan, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Counts {
    /// Parts that are inserted, but for cells.
    pub inserted: usize,
    /// Parts that are replaced, but for cells.
    pub replaced: usize,
    /// Parts that are deleted, but for cells.
    pub deleted: usize,
    /// Parts that are moved.
    pub moved: usize,
    /// Changes of cells.
    pub cells_changed: usize,
    /// Changes that put a formula where there was none.
    pub formulas_added: usize,
    /// Changes that put something else where there was a formula.
    pub formulas_overwritten: usize,
}

/// Collects what operations change while they are carried out.
#[derive(Debug, Default)]
pub struct Preview {
    operation: usize,
    bytes: usize,
    gone: HashSet<String>,
    /// The changes so far.
    pub changes: Vec<Change>,
    /// The warnings so far.
    pub warnings: Vec<PlanWarning>,
    /// The changes so far, counted.
    pub counts: Counts,
}

impl Preview {
    /// Of a file in which parts with these ids have been deleted.
    pub fn new(gone: HashSet<String>) -> Self {
        Self { gone, ..Self::default() }
    }

    /// The next operation is the one at this index.
    pub fn begin(&mut self, operation: usize) {
        self.operation = operation;
    }

    /// 422 `invalid_field`: what is at `at` within the current operation, a JSON pointer, breaks `rule`.
    pub fn invalid(&self, at: &str, rule: impl Into<String>) -> Error {
        self.refuse(&code::INVALID_FIELD, at, rule)
    }

    /// 422: there is no part with the id at `at`.
    pub fn not_there(&self, at: &str, id: &PartId) -> Error {
        self.refuse(&codes::BLOCK_NOT_FOUND, at, format!("must be an id of the content, which has no {id}"))
    }

    /// A refusal because of one thing within the current operation.
    pub fn refuse(&self, code: &'static Code, at: &str, rule: impl Into<String>) -> Error {
        self.refuse_all(code, vec![Problem { at: at.to_owned(), rule: rule.into() }])
    }

    /// A refusal because of things within the current operation; their pointers begin there.
    pub fn refuse_all(&self, code: &'static Code, problems: Vec<Problem>) -> Error {
        let within = format!("/operations/{}", self.operation);
        let problems = problems.into_iter().map(|Problem { at, rule }| Problem { at: format!("{within}{at}"), rule });
        Refusal::problems(code, problems.collect()).into()
    }

    /// Refuses the id at `at` if a part that is deleted had it. That no other part has it now is for the kind to check.
    pub fn check_unused(&self, at: &str, id: &PartId) -> Result<(), Error> {
        if self.gone.contains(id.as_str()) {
            return Err(self.invalid(at, "must not be an id that another part of the file once had"));
        }
        Ok(())
    }

    /// Notes that a part with this id is deleted: no other may have it.
    pub fn part_is_gone(&mut self, id: &PartId) {
        self.gone.insert(id.as_str().to_owned());
    }

    /// Notes a change; 413 when the plan would be longer than an answer may be.
    pub fn change(
        &mut self,
        kind: ChangeKind,
        place: ChangedPlace,
        before: Option<&(impl Serialize + ?Sized)>,
        after: Option<&(impl Serialize + ?Sized)>,
    ) -> Result<(), Error> {
        let before = before.map(to_raw_value).transpose().map_err(Failure::from)?;
        let after = after.map(to_raw_value).transpose().map_err(Failure::from)?;
        match kind {
            _ if place.cell.is_some() => self.counts.cells_changed += 1,
            ChangeKind::Insert => self.counts.inserted += 1,
            ChangeKind::Replace => self.counts.replaced += 1,
            ChangeKind::Delete => self.counts.deleted += 1,
            ChangeKind::Move => self.counts.moved += 1,
        }
        let is_formula =
            |value: &Option<Box<RawValue>>| value.as_deref().is_some_and(|value| value.get().starts_with("\"="));
        if place.cell.is_some() && is_formula(&after) && !is_formula(&before) {
            self.counts.formulas_added += 1;
        }
        let text = |value: &Option<Box<RawValue>>| value.as_deref().map_or(0, |value| value.get().len());
        // The members around the two values.
        self.bytes += text(&before) + text(&after) + 160;
        if self.bytes > RESPONSE_BYTES {
            let message =
                format!("The preview of this plan would be longer than {RESPONSE_BYTES} bytes (response_bytes).");
            return Err(codes::RESPONSE_TOO_LARGE.because(message).into());
        }
        self.changes.push(Change { op: self.operation, kind, place, before, after });
        Ok(())
    }

    /// Notes a warning about the current operation.
    pub fn warn(&mut self, code: WarningCode, severity: Severity, place: impl Into<String>, detail: impl Into<String>) {
        if code == WarningCode::FormulaOverwritten {
            self.counts.formulas_overwritten += 1;
        }
        let op = Some(self.operation);
        let warning = PlanWarning { code, op, place: place.into(), severity, detail: detail.into() };
        // The members around the two texts. The next change finds it when there are too many.
        self.bytes += warning.place.len() + warning.detail.len() + 100;
        self.warnings.push(warning);
    }
}
