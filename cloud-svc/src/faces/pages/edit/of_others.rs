//! Says what happens to the edits that others have made while a person edited.

use maud::{Markup, html};

use crate::faces::pages::plan::compare;

/// The hidden field with the ids of the parts that the page lists as replaced.
pub const TOLD: &str = "told";

/// A part that both have changed in the same place.
pub struct Replaced {
    /// Without a space: the id of a block, or the place within a note.
    pub id: String,
    /// Before both changed it.
    pub before: String,
    /// `None` if others have deleted it.
    pub theirs: Option<String>,
}

/// The field [`TOLD`] of the form.
pub fn told(replaced: &[Replaced]) -> Markup {
    let ids: Vec<&str> = replaced.iter().map(|replaced| replaced.id.as_str()).collect();
    html! { input type="hidden" name=(TOLD) value=(ids.join(" ")); }
}

/// Whether a field [`TOLD`] names all of them.
pub fn are_told(told: &str, replaced: &[Replaced]) -> bool {
    replaced.iter().all(|replaced| told.split(' ').any(|id| id == replaced.id))
}

/// Lists the parts by others that the person's edits would replace.
pub fn meanwhile(replaced: &[Replaced], keeps_both: bool) -> Markup {
    html! {
        @if !replaced.is_empty() {
            div.alert {
                p { strong { (text!("Others have changed the same parts. Send yours again to replace theirs.")) } }
                // The whole text, so that a person can put both together.
                ul {
                    @for part in replaced {
                        li.as-written dir="auto" {
                            @match &part.theirs {
                                Some(theirs) => { (theirs) }
                                None => { (compare::gone(&html! { (part.before) })) }
                            }
                        }
                    }
                }
            }
        } @else if keeps_both {
            p { (text!("Others have changed other parts. Send yours again, and both are kept.")) }
        }
    }
}
