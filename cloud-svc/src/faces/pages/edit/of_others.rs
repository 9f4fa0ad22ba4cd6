//! Says what happens to the edits that others have made while a person edited.

use maud::{Markup, html};

use crate::faces::pages::plan::compare;

/// `replaced` has each text of others in whose place the person's would be: as it was before, and as it is now, or
/// `None` if it is gone.
pub fn meanwhile<'t>(replaced: impl IntoIterator<Item = (&'t str, Option<&'t str>)>, keeps_both: bool) -> Markup {
    let mut replaced = replaced.into_iter().peekable();
    html! {
        @if replaced.peek().is_some() {
            div.alert {
                p { strong { (text!("Others have changed the same parts. Send yours again to replace theirs.")) } }
                // The whole text, so that a person can put both together.
                ul {
                    @for (before, theirs) in replaced {
                        li.as-written dir="auto" {
                            @match theirs {
                                Some(theirs) => { (theirs) }
                                None => { (compare::gone(&html! { (before) })) }
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
