//! Codes that operations refuse with, and what a program does next.

use maud::{Markup, html};
use shared_model::Code;

use crate::pages::layout::scrollable;

/// A table of these codes, by status.
pub fn table(label: &str, mut codes: Vec<&Code>) -> Markup {
    codes.sort_by_key(|code| (code.status, code.name));
    scrollable(
        label,
        html! {
            table {
                caption.hidden { (label) }
                thead {
                    tr {
                        th scope="col" { "Status" }
                        th scope="col" { "Code" }
                        th scope="col" { "Message" }
                        th scope="col" { "Next action" }
                    }
                }
                tbody {
                    @for code in codes {
                        tr {
                            td { (code.status) }
                            th scope="row" { code { (code.name) } }
                            td { (code.sentence) }
                            td {
                                @for (at, name) in code.next.types().iter().enumerate() {
                                    @if at > 0 { " or " }
                                    code { (name) }
                                }
                            }
                        }
                    }
                }
            }
        },
    )
}
