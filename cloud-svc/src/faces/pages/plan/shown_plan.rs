//! A plan, with what its record holds as JSON text.

use serde::Deserialize;
use serde_json::Value;
use shared_model::Failure;
use shared_runtime::pages::Text;

use crate::edits::plans::{
    plan::{PlanState, Summary},
    record::PlanRecord,
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
}

impl ShownPlan {
    pub fn parse(record: PlanRecord) -> Result<Self, Failure> {
        let changes = record.changes.as_ref().map_or(Ok(Vec::new()), |changes| serde_json::from_str(changes.get()))?;
        let (summary, warnings) =
            (serde_json::from_str(record.summary.get())?, serde_json::from_str(record.warnings.get())?);
        let totals = record.totals.as_ref().map(|totals| serde_json::from_str(totals.get())).transpose()?;
        Ok(Self { record, summary, changes, warnings, totals })
    }

    pub fn href(&self) -> String {
        href(&self.record)
    }

    /// Whether it can still be applied or rejected.
    pub fn is_open(&self) -> bool {
        matches!(self.record.state, PlanState::Proposed | PlanState::InReview | PlanState::Approved)
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
