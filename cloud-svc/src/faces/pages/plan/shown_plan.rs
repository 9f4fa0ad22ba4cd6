//! A plan, with what its record holds as JSON text.

use serde::Deserialize;
use serde_json::Value;
use shared_model::Failure;
use shared_runtime::pages::{SignedIn, Text};

use crate::{
    edits::plans::{
        plan::{PlanState, Summary, Verdict},
        record::PlanRecord,
    },
    faces::pages::phrases::is_mine,
};
use cloud_content::{
    kinds,
    preview::{ChangeKind, ChangedPlace, PlanWarning},
    spreadsheets::totals::Totals,
};

pub struct ShownPlan {
    pub record: PlanRecord,
    pub summary: Summary,
    /// Empty in a list.
    pub changes: Vec<ShownChange>,
    pub warnings: Vec<PlanWarning>,
    pub totals: Option<Totals>,
}

/// A [`cloud_content::preview::Change`] whose values are parsed.
#[derive(Debug, Deserialize)]
pub struct ShownChange {
    pub kind: ChangeKind,
    #[serde(flatten)]
    pub place: ChangedPlace,
    pub before: Value,
    pub after: Value,
    /// The number of formulas for which the change stands.
    #[serde(default)]
    pub more: Option<usize>,
    /// What a reviewer has remarked on it when sending the plan back.
    #[serde(skip)]
    pub remarks: Vec<String>,
}

impl ShownPlan {
    pub fn parse(record: PlanRecord) -> Result<Self, Failure> {
        let mut changes: Vec<ShownChange> = match &record.changes {
            Some(changes) => serde_json::from_str(changes.get())?,
            None => Vec::new(),
        };
        for remark in record.review.iter().flat_map(|review| &review.on) {
            if let Some(change) = changes.get_mut(remark.change.index()) {
                change.remarks.push(remark.text.clone());
            }
        }
        let (summary, warnings) =
            (serde_json::from_str(record.summary.get())?, serde_json::from_str(record.warnings.get())?);
        let totals = record.totals.as_ref().map(|totals| serde_json::from_str(totals.get())).transpose()?;
        Ok(Self { record, summary, changes, warnings, totals })
    }

    pub fn href(&self) -> String {
        href(&self.record)
    }

    /// Whether the visitor has written some of its edits.
    // People cannot approve their own edits, even in a plan that somebody else started.
    pub fn is_by(&self, visit: &SignedIn) -> bool {
        is_mine(visit, &self.record.actor) || self.record.co_authors.iter().any(|other| is_mine(visit, other))
    }

    /// Whether it can still be applied or rejected.
    pub fn is_open(&self) -> bool {
        matches!(self.record.state, PlanState::Proposed | PlanState::InReview | PlanState::Approved)
    }

    /// Whether a reviewer has sent it back.
    pub fn was_returned(&self) -> bool {
        self.record.review.as_ref().is_some_and(|review| review.verdict == Some(Verdict::Returned))
    }

    /// Whether its author has not answered yet.
    // It expires like an open plan. Its author may answer all the same.
    pub fn waits_for_author(&self) -> bool {
        self.was_returned() && matches!(self.record.state, PlanState::Returned | PlanState::Expired)
    }

    /// Whether it is decided only with the other plans of its proposal.
    pub fn is_decided_together(&self) -> bool {
        self.record.proposal_id.is_some() && (self.is_open() || self.record.state == PlanState::Expired)
    }

    /// The operation that applies plans of its kind.
    pub fn apply_operation(&self) -> Option<&'static str> {
        kinds::of_plan(&self.record.kind).map(|kind| kind.apply.id)
    }
}

/// The page of a plan.
pub fn href(plan: &PlanRecord) -> String {
    format!("/f/{}/plans/{}", plan.file_id, plan.id)
}

pub fn state_word(state: PlanState) -> Text {
    match state {
        PlanState::Proposed => text!("Proposed"),
        PlanState::InReview => text!("In review"),
        PlanState::Approved => text!("Approved"),
        PlanState::Returned => text!("Sent back"),
        PlanState::Rejected => text!("Rejected"),
        PlanState::Discarded => text!("Discarded"),
        PlanState::Applied => text!("Applied"),
        PlanState::Expired => text!("Expired"),
    }
}
