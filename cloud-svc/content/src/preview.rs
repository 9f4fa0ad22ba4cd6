//! The preview of an edit plan: changes with their old and new content, and warnings.

use std::{borrow::Cow, collections::HashSet};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use shared_model::{Code, Error, Failure, Problem, Refusal, code};
use utoipa::ToSchema;

use crate::{change_id::ChangeId, codes, limits::RESPONSE_BYTES, part_id::PartId};

/// A change that an operation makes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "c1", "op": 0, "kind": "replace", "block_id": "b_4",
    "before": {"id": "b_4", "type": "paragraph", "segments": [{"text": "Begin at 9:30."}]},
    "after": {"id": "b_4", "type": "paragraph", "segments": [{"text": "Begin at 10:00."}]},
}))]
pub struct Change {
    /// Names it in this plan.
    pub id: ChangeId,
    /// The index of the operation.
    #[schema(minimum = 0, maximum = 49)]
    pub op: usize,
    pub kind: ChangeKind,
    #[serde(flatten)]
    pub place: ChangedPlace,
    /// The old content: untrusted. Null for an insertion.
    #[schema(required, value_type = Option<Value>)]
    pub before: Option<Box<RawValue>>,
    /// The new content: untrusted. Null after a deletion.
    #[schema(required, value_type = Option<Value>)]
    pub after: Option<Box<RawValue>>,
    /// How many more formulas the operation rewrites. Such a change has no place: it stands for those that are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub more: Option<usize>,
}

impl Change {
    /// Whether the operation asks for this change. Formulas that follow their cells come by themselves.
    pub fn is_own(&self) -> bool {
        self.kind != ChangeKind::Formula
    }
}

shared_model::text_enum! {
    /// The kind of a change.
    pub enum ChangeKind {
        Insert = "insert",
        /// The part has new content in the same place.
        Replace = "replace",
        Delete = "delete",
        /// The part has the same content in another place.
        Move = "move",
        /// A formula follows the cells to which it refers. A plan lists at most 200 of these.
        Formula = "formula",
    }
    /// The severity of a warning: worth a look, look before you apply, or ask a person before you apply.
    pub enum Severity {
        Low = "low",
        Medium = "medium",
        High = "high",
    }
    /// The reason of a warning.
    pub enum WarningCode {
        /// A formula is replaced.
        FormulaOverwritten = "formula_overwritten",
        /// A formula gets `#REF!`: its cells are deleted, or an edit writes it. `detail` is the formula before the
        /// deletion, or the written formula.
        FormulaReferenceLost = "formula_reference_lost",
        /// A formula that an editor wrote stays as it is, because it is not understood here. It may refer to cells that move.
        FormulaNotRewritten = "formula_not_rewritten",
        /// The value of a formula becomes an error that it was not before. `detail` is the error.
        FormulaError = "formula_error",
        /// A new text breaks the validation rule of its cell.
        ValidationViolated = "validation_violated",
        /// The place of a comment is deleted.
        CommentAnchorLost = "comment_anchor_lost",
        /// The target of a link is new. `detail` is its domain, and the severity is high if the workspace has no link to it
        /// yet.
        LinkAdded = "link_added",
        /// Hidden characters, or text that the page of a note does not show, are new. `detail` is the code that
        /// `content_warnings` gives it.
        HiddenCharactersAdded = "hidden_characters_added",
        /// More than 30 percent of the bytes, more than 20 blocks, or more than half of the blocks or cells are deleted. Or
        /// more than half of the words or cells are replaced.
        LargeDeletion = "large_deletion",
        /// A protected part is changed or deleted. `where` and `detail` name the part that people protect.
        ProtectedPart = "protected_part",
        /// A formula is changed or deleted to which others refer, and the rules of the workspace say that this counts.
        ReliedFormulaChanged = "relied_formula_changed",
        /// An annotation is deleted with its block.
        AnnotationDetached = "annotation_detached",
    }
}

/// The place of a change. It has only the members that the kind of content has.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct ChangedPlace {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_id: Option<PartId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Such as `B2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// The sheet and cell of a formula that follows its cells, after the operation: `Budget!B6`.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Whole rows or columns, or cells with a new format or rule: `2:4`, `B:C`, `A1:B2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_id: Option<PartId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slide_id: Option<PartId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element_id: Option<PartId>,
    /// A member of the content or of the part: `title`, `settings`, `formats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub member: Option<Cow<'static, str>>,
    /// The part before the inserted or moved one. Null at the beginning.
    #[serde(default, deserialize_with = "null_or_id", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<PartId>)]
    pub after_id: Option<Option<PartId>>,
}

/// Null is the beginning; an absent member is `None`.
fn null_or_id<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Option<PartId>>, D::Error> {
    Option::deserialize(input).map(Some)
}

/// Something that a reviewer should check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlanWarning {
    pub code: WarningCode,
    /// The index of the operation that causes it. Null if all operations together do.
    #[schema(required, minimum = 0, maximum = 49)]
    pub op: Option<usize>,
    /// A block, a cell, an element or a comment. Empty for the whole file.
    #[serde(rename = "where")]
    #[schema(example = "b_4")]
    pub place: String,
    pub severity: Severity,
    /// Details that depend on the code: untrusted.
    #[schema(example = "evil.example")]
    pub detail: String,
}

/// The numbers of changes in a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Counts {
    /// Inserted parts, without cells.
    pub inserted: usize,
    /// Replaced parts, without cells.
    pub replaced: usize,
    /// Deleted parts, without cells.
    pub deleted: usize,
    /// Moved parts.
    pub moved: usize,
    /// Changed cells.
    pub cells_changed: usize,
    /// Cells that get a formula and had none.
    pub formulas_added: usize,
    /// Formulas that are replaced.
    pub formulas_overwritten: usize,
    /// Formulas that follow their cells. They do not count as changed cells.
    // Plans that were stored before had none.
    #[serde(default)]
    #[schema(required)]
    pub formulas_rewritten: usize,
}

// A reader looks at some of them and believes the rest.
const LISTED_FORMULAS: usize = 200;

/// Collects the changes and warnings of operations.
#[derive(Debug, Default)]
pub struct Preview {
    operation: usize,
    bytes: usize,
    gone: HashSet<String>,
    pub changes: Vec<Change>,
    pub warnings: Vec<PlanWarning>,
    pub counts: Counts,
}

impl Preview {
    /// `gone` are the ids of parts that the file had in earlier versions.
    pub fn new(gone: HashSet<String>) -> Self {
        Self { gone, ..Self::default() }
    }

    /// Begins the operation at this index.
    pub fn begin(&mut self, operation: usize) {
        self.operation = operation;
    }

    /// 422 `invalid_field`; `at` is a JSON pointer within the current operation.
    pub fn invalid(&self, at: &str, rule: impl Into<String>) -> Error {
        self.refuse(&code::INVALID_FIELD, at, rule)
    }

    /// 422 for an unknown id at `at`.
    pub fn not_there(&self, at: &str, id: &PartId) -> Error {
        self.refuse(&codes::BLOCK_NOT_FOUND, at, format!("must be an id of the content, which has no {id}"))
    }

    /// A refusal for one problem within the current operation.
    pub fn refuse(&self, code: &'static Code, at: &str, rule: impl Into<String>) -> Error {
        self.refuse_all(code, vec![Problem { at: at.to_owned(), rule: rule.into() }])
    }

    /// A refusal for problems with pointers within the current operation.
    pub fn refuse_all(&self, code: &'static Code, problems: Vec<Problem>) -> Error {
        let within = format!("/operations/{}", self.operation);
        let problems = problems.into_iter().map(|Problem { at, rule }| Problem { at: format!("{within}{at}"), rule });
        Refusal::problems(code, problems.collect()).into()
    }

    /// Refuses the id of a deleted part. The kind of content checks that no present part has it.
    pub fn check_unused(&self, at: &str, id: &PartId) -> Result<(), Error> {
        if self.gone.contains(id.as_str()) {
            return Err(self.invalid(at, "must not be an id that another part of the file once had"));
        }
        Ok(())
    }

    /// Retires the id of a deleted part, so that no comment or plan can mean another part by it.
    pub fn part_is_gone(&mut self, id: &PartId) {
        self.gone.insert(id.as_str().to_owned());
    }

    /// Notes a change; 413 if the plan would be longer than an answer may be.
    pub fn change(
        &mut self,
        kind: ChangeKind,
        place: ChangedPlace,
        before: Option<&(impl Serialize + ?Sized)>,
        after: Option<&(impl Serialize + ?Sized)>,
    ) -> Result<(), Error> {
        // Serialized at once: the content changes with the next operation.
        let before = before.map(to_raw_value).transpose().map_err(Failure::from)?;
        let after = after.map(to_raw_value).transpose().map_err(Failure::from)?;
        match kind {
            ChangeKind::Formula => self.counts.formulas_rewritten += 1,
            _ if place.cell.is_some() => self.counts.cells_changed += 1,
            ChangeKind::Insert => self.counts.inserted += 1,
            ChangeKind::Replace => self.counts.replaced += 1,
            ChangeKind::Delete => self.counts.deleted += 1,
            ChangeKind::Move => self.counts.moved += 1,
        }
        let is_formula =
            |value: &Option<Box<RawValue>>| value.as_deref().is_some_and(|value| value.get().starts_with("\"="));
        if kind != ChangeKind::Formula && place.cell.is_some() && is_formula(&after) && !is_formula(&before) {
            self.counts.formulas_added += 1;
        }
        let text = |value: &Option<Box<RawValue>>| value.as_deref().map_or(0, |value| value.get().len());
        // 175 for the members around the two values.
        self.bytes += text(&before) + text(&after) + 175;
        if self.bytes > RESPONSE_BYTES {
            let message = format!("The changes would be longer than {RESPONSE_BYTES} bytes (response_bytes).");
            return Err(codes::RESPONSE_TOO_LARGE.because(message).into());
        }
        let id = ChangeId::of_index(self.changes.len());
        self.changes.push(Change { id, op: self.operation, kind, place, before, after, more: None });
        Ok(())
    }

    /// Notes a formula that follows its cells. The plan lists the first ones and counts the others.
    pub fn formula(&mut self, place: ChangedPlace, before: &str, after: &str) -> Result<(), Error> {
        // Formulas may be long, and a plan must not be refused because its list of them is.
        let is_listed = self.counts.formulas_rewritten < LISTED_FORMULAS && self.bytes < RESPONSE_BYTES / 2;
        if is_listed {
            return self.change(ChangeKind::Formula, place, Some(before), Some(after));
        }
        self.counts.formulas_rewritten += 1;
        let is_rest = |change: &&mut Change| change.op == self.operation && change.more.is_some();
        if let Some(rest) = self.changes.last_mut().filter(is_rest) {
            rest.more = rest.more.map(|more| more + 1);
        } else {
            self.change(ChangeKind::Formula, ChangedPlace::default(), None::<&str>, None::<&str>)?;
            self.counts.formulas_rewritten -= 1;
            self.changes.last_mut().expect("just pushed").more = Some(1);
        }
        Ok(())
    }

    pub fn warn(&mut self, code: WarningCode, severity: Severity, place: impl Into<String>, detail: impl Into<String>) {
        if code == WarningCode::FormulaOverwritten {
            self.counts.formulas_overwritten += 1;
        }
        let op = Some(self.operation);
        let warning = PlanWarning { code, op, place: place.into(), severity, detail: detail.into() };
        // 100 for the members around the two texts. The next change is refused if this is too much.
        self.bytes += warning.place.len() + warning.detail.len() + 100;
        self.warnings.push(warning);
    }
}
