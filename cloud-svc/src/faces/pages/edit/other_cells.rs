//! The choice of other cells to edit. It is in the form of the cells, because a link would lose what was typed.

use maud::{Markup, html};
use shared_model::Refusal;
use shared_runtime::pages::SignedIn;

use super::cells::Cells;

/// The field of the buttons that show other cells.
pub const SHOW: &str = "show";
pub const SHEET: &str = "to-sheet";
pub const RANGE: &str = "to-range";
// The values of `SHOW`: at once, or only if the choice differs from what is shown.
const OTHERS: &str = "others";
const IF_OTHERS: &str = "if-others";

/// Whether the person wants to see other cells, and no preview yet.
pub fn are_asked(visit: &SignedIn) -> bool {
    let value = |name: &str| visit.value(name).unwrap_or_default();
    match visit.value(SHOW) {
        Some(IF_OTHERS) => value(SHEET) != value("sheet") || value(RANGE) != value("range"),
        show => show.is_some(),
    }
}

pub fn show(visit: &SignedIn, cells: &mut Cells<'_>) -> Result<(), Refusal> {
    cells.show(visit.value(SHEET).unwrap_or_default(), visit.value(RANGE).unwrap_or_default())
}

/// With a choice that was refused, or with the cells that are shown.
pub fn choice(visit: &SignedIn, cells: &Cells<'_>, is_refused: bool) -> Markup {
    let chosen = |name: &str| visit.value(name).filter(|_| is_refused && are_asked(visit));
    let sheet = chosen(SHEET).unwrap_or(&cells.sheet().name);
    let range = chosen(RANGE).map_or_else(|| cells.range.to_string(), str::to_owned);
    html! {
        // Pressed by the key Enter, which presses the first button of a form.
        button.hidden name=(SHOW) value=(IF_OTHERS) tabindex="-1" aria-hidden="true" { (text!("Preview the changes")) }
        div.row {
            label for=(SHEET) { (text!("Sheet")) }
            select id=(SHEET) name=(SHEET) {
                @for each in &cells.content.sheets {
                    option value=(each.name) selected[each.name == sheet] { (each.name) }
                }
            }
            label for=(RANGE) { (text!("Cells")) }
            input id=(RANGE) name=(RANGE) value=(range);
            button.quiet name=(SHOW) value=(OTHERS) { (text!("Show these")) }
        }
    }
}
