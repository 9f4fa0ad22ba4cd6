//! A review: who asked for it, and the verdict.

use maud::{Markup, html};
use shared_runtime::pages::Text;

use crate::{
    edits::plans::plan::{Review, Verdict},
    faces::pages::phrases::{actor, counted, time},
};

/// `beside` stands after the verdict.
pub fn show(review: &Review, beside: &Markup) -> Markup {
    html! {
        section.review aria-labelledby="review" {
            h2 #review { (text!("Review")) }
            p { (text!("{person} asked for a review.", person = actor(&review.requested_by))) }
            @if let Some(note) = &review.note { blockquote.as-written dir="auto" { (note) } }
            @if let (Some(verdict), Some(by)) = (&review.verdict, &review.by) {
                p { (sentence(*verdict).with(&[("person", &actor(by))])) @if let Some(at) = review.at { ", " (time(at)) } "." }
            }
            (beside)
            @if let Some(reason) = &review.reason { blockquote.as-written dir="auto" { (reason) } }
            @if !review.on.is_empty() {
                p { (counted(review.on.len(), text!("{n} remark is at its change."), text!("{n} remarks are at their changes."))) }
            }
        }
    }
}

fn sentence(verdict: Verdict) -> Text {
    match verdict {
        Verdict::Approved => text!("{person} has approved it"),
        Verdict::Returned => text!("{person} has sent it back"),
        Verdict::Rejected => text!("{person} has rejected it"),
    }
}
