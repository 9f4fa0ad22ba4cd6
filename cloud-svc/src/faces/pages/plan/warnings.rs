//! The warnings of a plan, worst first.

use maud::{Markup, html};

use super::seen::Warning;

// The rest is counted. The worst come first, so none of the rest is worse.
const SHOWN: usize = 200;

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
        "formula_overwritten" => "a formula is replaced",
        "validation_violated" => "a cell breaks its validation rule",
        "comment_anchor_lost" => "the place of a comment is deleted",
        "link_added" => "a new link",
        "hidden_characters_added" => "new invisible characters",
        "large_deletion" => "much text is deleted",
        "annotation_detached" => "an annotation is deleted with its block",
        other => other,
    }
}
