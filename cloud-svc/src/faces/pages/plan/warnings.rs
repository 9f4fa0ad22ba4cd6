//! The warnings of a plan, worst first.

use maud::{Markup, html};
use shared_runtime::pages::{Text, in_english};

use crate::faces::pages::phrases::counted;
use cloud_content::preview::{PlanWarning, Severity, WarningCode};

// The rest is counted. The worst come first, so none of the rest is worse.
const SHOWN: usize = 200;

pub fn show(warnings: &[PlanWarning]) -> Markup {
    html! {
        section.warnings aria-labelledby="warnings" {
            h2 #warnings { (text!("Warnings")) }
            (list(warnings, SHOWN))
        }
    }
}

/// The worst of them, at most this number.
pub fn list(warnings: &[PlanWarning], most: usize) -> Markup {
    let mut sorted: Vec<_> = warnings.iter().collect();
    sorted.sort_by_key(|warning| rank(warning.severity));
    html! {
        @if sorted.is_empty() {
            p { (text!("None.")) }
        } @else {
            ul {
                @for warning in sorted.iter().take(most) {
                    li class=(warning.severity) {
                        strong { (word(warning.severity)) ": " } (explanation(warning.code))
                        @if !warning.place.is_empty() {
                            ", " (text!("at {place}", place = html! { code { bdi { (warning.place) } } }))
                        }
                        @if !warning.detail.is_empty() { ": " bdi { (in_english(&warning.detail)) } }
                    }
                }
            }
            @if sorted.len() > most {
                p { (text!("And {n} more of the same or lower severity.", n = sorted.len() - most)) }
            }
        }
    }
}

/// How many are of high severity; empty if none is.
// Above the button, so that nobody approves without reading the warnings.
pub fn worst<'w>(warnings: impl IntoIterator<Item = &'w PlanWarning>) -> Markup {
    let high = warnings.into_iter().filter(|warning| warning.severity == Severity::High).count();
    html! {
        @if high > 0 {
            p.alert {
                strong {
                    (counted(high, text!("{n} warning of high severity."), text!("{n} warnings of high severity.")))
                }
                " " (text!("Read them above first."))
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

fn word(severity: Severity) -> Text {
    match severity {
        Severity::High => text!("High"),
        Severity::Medium => text!("Medium"),
        Severity::Low => text!("Low"),
    }
}

fn explanation(code: WarningCode) -> Text {
    match code {
        WarningCode::FormulaOverwritten => text!("a formula is replaced"),
        WarningCode::FormulaReferenceLost => text!("a formula loses cells to which it refers"),
        WarningCode::FormulaNotRewritten => text!("a formula that is not understood here may refer to cells that move"),
        WarningCode::FormulaError => text!("the value of a formula becomes an error"),
        WarningCode::ValidationViolated => text!("a cell breaks its validation rule"),
        WarningCode::CommentAnchorLost => text!("the place of a comment is deleted"),
        WarningCode::LinkAdded => text!("a new link"),
        WarningCode::HiddenCharactersAdded => text!("new hidden characters or text"),
        WarningCode::LargeDeletion => text!("a lot of text is deleted or replaced"),
        WarningCode::ProtectedPart => text!("a protected part is changed or deleted"),
        WarningCode::ReliedFormulaChanged => text!("a formula to which others refer is changed"),
        WarningCode::AnnotationDetached => text!("an annotation is deleted with its block"),
    }
}
