//! The warnings of a plan, worst first.

use maud::{Markup, html};

use cloud_content::preview::{PlanWarning, Severity, WarningCode};

// The rest is counted. The worst come first, so none of the rest is worse.
const SHOWN: usize = 200;

pub fn show(warnings: &[PlanWarning]) -> Markup {
    let mut sorted: Vec<_> = warnings.iter().collect();
    sorted.sort_by_key(|warning| rank(warning.severity));
    html! {
        section.warnings aria-labelledby="warnings" {
            h2 #warnings { "Warnings" }
            @if sorted.is_empty() {
                p { "None." }
            } @else {
                ul {
                    @for warning in sorted.iter().take(SHOWN) {
                        li class=(warning.severity) {
                            strong { (word(warning.severity)) ": " } (explanation(warning.code))
                            @if !warning.place.is_empty() { ", at " code { bdi { (warning.place) } } }
                            @if !warning.detail.is_empty() { ": " bdi { (warning.detail) } }
                        }
                    }
                }
                @if sorted.len() > SHOWN { p { "And " (sorted.len() - SHOWN) " more of the same or lower severity." } }
            }
        }
    }
}

fn rank(severity: Severity) -> u8 {
    match severity {
        Severity::High => 0,
        Severity::Medium => 1,
        Severity::Low => 2,
    }
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "High",
        Severity::Medium => "Medium",
        Severity::Low => "Low",
    }
}

fn explanation(code: WarningCode) -> &'static str {
    match code {
        WarningCode::FormulaOverwritten => "a formula is replaced",
        WarningCode::FormulaReferenceLost => "a formula loses cells to which it refers",
        WarningCode::FormulaNotRewritten => "a formula that is not understood here may refer to cells that move",
        WarningCode::ValidationViolated => "a cell breaks its validation rule",
        WarningCode::CommentAnchorLost => "the place of a comment is deleted",
        WarningCode::LinkAdded => "a new link",
        WarningCode::HiddenCharactersAdded => "new invisible characters",
        WarningCode::LargeDeletion => "much text is deleted",
        WarningCode::ProtectedPart => "a protected part is changed or deleted",
        WarningCode::ReliedFormulaChanged => "a formula is changed to which others refer",
        WarningCode::AnnotationDetached => "an annotation is deleted with its block",
    }
}
