//! The computed values that a plan changes in cells that it does not name.

use maud::{Markup, html};

use cloud_content::spreadsheets::{compute::Computed, totals::Totals};

pub fn show(totals: &Totals) -> Markup {
    match &totals.cells {
        Some(cells) if !cells.is_empty() => html! {
            section aria-labelledby="totals" {
                h2 #totals { (text!("Values that change with it")) }
                (table(totals))
            }
        },
        _ => table(totals),
    }
}

/// The same without a heading of the page.
pub fn table(totals: &Totals) -> Markup {
    let Some(cells) = &totals.cells else {
        return html! { p.note { (text!("The values that change with it are too much to calculate.")) } };
    };
    let more = totals.changed.unwrap_or_default().saturating_sub(cells.len());
    html! {
        @if !cells.is_empty() {
            table {
                thead {
                    tr {
                        th scope="col" { (text!("Cell")) }
                        th scope="col" { (text!("Before")) }
                        th scope="col" { (text!("After")) }
                    }
                }
                tbody {
                    @for total in cells {
                        tr {
                            th scope="row" dir="auto" { (total.sheet) "!" (total.cell) }
                            td dir="auto" { (shown(&total.before)) }
                            td dir="auto" { (shown(&total.after)) }
                        }
                    }
                }
            }
            @if more > 0 { p.note { (text!("And {n} more.", n = more)) } }
        }
    }
}

fn shown(computed: &Computed) -> String {
    match &computed.value {
        None => String::new(),
        Some(value) => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
    }
}
