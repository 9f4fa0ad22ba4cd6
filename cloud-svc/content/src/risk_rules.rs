//! What a workspace wants to be warned about beside what every workspace is.

use serde::{Deserialize, Serialize};
use shared_model::rule::Integer;

use crate::{
    content::Content,
    large_deletion::deleted_parts,
    preview::{PlanWarning, Severity, WarningCode},
};

shared_model::json_object! {
    /// Rules of a workspace. An edit that meets one has a warning of high severity.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct RiskRules {
        /// More deleted blocks, cells or other parts than this are a `large_deletion`. Absent: only the usual rules count.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub deletions_above: Option<i64> as Integer<0, 1_000_000>,
        /// Whether it counts that a formula is changed or deleted to which another formula refers.
        pub relied_formulas: bool,
    }
    example = {"deletions_above": 5, "relied_formulas": true};
}

impl RiskRules {
    /// The rules of a workspace that has none.
    pub const NONE: Self = Self { deletions_above: None, relied_formulas: false };

    /// Adds the warnings that the rules ask for. `edits` are the operations that made `later`, if any did.
    pub fn warn<C: Content>(
        self,
        before: &C,
        later: &C,
        edits: Option<&[C::Operation]>,
        warnings: &mut Vec<PlanWarning>,
    ) {
        if let Some(most) = self.deletions_above {
            let deleted = deleted_parts(before, later);
            if i64::try_from(deleted).is_ok_and(|deleted| deleted > most) {
                // One warning says it: the usual one may be there with less severity.
                warnings.retain(|warning| warning.code != WarningCode::LargeDeletion);
                let detail = format!("{deleted} parts deleted; the workspace allows {most}");
                warnings.push(high(WarningCode::LargeDeletion, String::new(), detail));
            }
        }
        if let Some(cell) = self.relied_formulas.then(|| before.relied_formula(later, edits)).flatten() {
            warnings.push(high(WarningCode::ReliedFormulaChanged, cell, "other formulas refer to it".to_owned()));
        }
    }
}

fn high(code: WarningCode, place: String, detail: String) -> PlanWarning {
    PlanWarning { code, op: None, place, severity: Severity::High, detail }
}
