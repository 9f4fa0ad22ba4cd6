//! What a workspace wants to be warned about beside what every workspace is.

use serde::{Deserialize, Serialize};
use shared_model::rule::Integer;

use crate::{
    content::Content,
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
            let deleted = before.deleted_parts(later, edits).gone;
            if i64::try_from(deleted).is_ok_and(|deleted| deleted > most) {
                // One warning says it: the usual one may be there with less severity.
                warnings.retain(|warning| warning.code != WarningCode::LargeDeletion);
                let detail = format!("deleted parts: {deleted}; the workspace allows {most}");
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{spreadsheets::content::SpreadsheetContent, test_support::plans::content};

    fn row(cells: [&str; 4]) -> SpreadsheetContent {
        content(&json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [cells]}]}))
    }

    /// What the rules say of an edit of the row `1 2 =A1+B1 =C1`, which has two warnings already.
    fn warned(rules: RiskRules, later: [&str; 4]) -> Vec<String> {
        let usual = |code| PlanWarning { severity: Severity::Medium, ..high(code, String::new(), String::new()) };
        let mut warnings = [WarningCode::LargeDeletion, WarningCode::FormulaNotRewritten].map(usual).to_vec();
        rules.warn(&row(["1", "2", "=A1+B1", "=C1"]), &row(later), None, &mut warnings);
        let shown =
            |PlanWarning { code, severity, place, .. }| format!("{} {} {place}", code.as_str(), severity.as_str());
        warnings.into_iter().map(shown).collect()
    }

    const USUAL: [&str; 2] = ["large_deletion medium ", "formula_not_rewritten medium "];

    #[test]
    fn more_deletions_than_the_workspace_allows_are_one_warning_of_high_severity() {
        let above = |most| RiskRules { deletions_above: Some(most), ..RiskRules::NONE };
        let later = ["", "", "=A1+B1", "=C1"];
        assert_eq!(warned(above(1), later), ["formula_not_rewritten medium ", "large_deletion high "]);
        assert_eq!(warned(above(2), later), USUAL);
        assert_eq!(warned(RiskRules::NONE, later), USUAL);
    }

    #[test]
    fn a_changed_formula_is_warned_about_if_another_refers_to_it() {
        let rules = RiskRules { relied_formulas: true, ..RiskRules::NONE };
        let relied = ["1", "2", "=A1", "=C1"];
        assert_eq!(warned(rules, relied), [USUAL[0], USUAL[1], "relied_formula_changed high S!C1"]);
        assert_eq!(warned(RiskRules::NONE, relied), USUAL);
        assert_eq!(warned(rules, ["1", "2", "=A1+B1", "=C1+1"]), USUAL);
    }
}
