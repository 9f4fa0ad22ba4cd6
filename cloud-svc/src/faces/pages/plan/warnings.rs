//! The warnings of a plan, the worst first.

use maud::{Markup, html};

use super::seen::Warning;

/// Warnings on the page at most; the rest is counted.
const SHOWN: usize = 200;

/// What a reviewer looks at before anything else.
pub fn show(warnings: &[Warning]) -> Markup {
    let mut sorted: Vec<_> = warnings.iter().collect();
    sorted.sort_by_key(|warning| rank(&warning.severity));
    html! {
        section.warnings aria-labelledby="warnings" {
            h2 #warnings { "Warnings" }
            @if sorted.is_empty() {
                p { "None." }
            } @else {
                ul {
                    @for warning in sorted.iter().take(SHOWN) {
                        li class=(warning.severity) {
                            strong { (severity(&warning.severity)) ": " } (said(&warning.code))
                            @if !warning.place.is_empty() { ", at " code { bdi { (warning.place) } } }
                            @if !warning.detail.is_empty() { ": " bdi { (warning.detail) } }
                        }
                    }
                }
                @if sorted.len() > SHOWN { p { "And " (sorted.len() - SHOWN) " more, none of them worse." } }
            }
        }
    }
}

fn rank(severity: &str) -> u8 {
    match severity {
        "high" => 0,
        "medium" => 1,
        _ => 2,
    }
}

fn severity(severity: &str) -> &str {
    match severity {
        "high" => "High",
        "medium" => "Medium",
        "low" => "Low",
        other => other,
    }
}

fn said(code: &str) -> &str {
    match code {
        "formula_overwritten" => "a formula is replaced by something else",
        "validation_violated" => "a cell breaks its validation rule",
        "comment_anchor_lost" => "a comment is about something that will be gone",
        "link_added" => "a new link",
        "hidden_characters_added" => "new characters that no reader sees",
        "large_deletion" => "much is deleted",
        "annotation_detached" => "an annotation goes with its block",
        other => other,
    }
}
