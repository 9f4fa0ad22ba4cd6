//! The form for some cells of a sheet.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{SignedIn, TypedText};

use super::{
    cells::{Cells, text_of},
    content_form::ContentForm,
    followed::Followed,
    kept, other_cells,
    versions::current,
};
use crate::files::versions::read::VersionAnswer;
use cloud_content::spreadsheets::content::SpreadsheetContent;

// Bounds for cells that others have edited too, or that are not shown, and for their texts. The comparison of versions
// and the preview show all.
const SHOWN: usize = 20;
const SHOWN_CHARACTERS: usize = 80;

/// Shows the newest version. What was typed into an older one is put into its cells, wherever they are now.
pub async fn form(visit: &SignedIn, base: &VersionAnswer, is_refused: bool) -> Result<ContentForm, Error> {
    let file = &base.file;
    let content: SpreadsheetContent = serde_json::from_str(base.content.get())?;
    let mut asked = Cells::asked(visit, &content)?;
    let version = file.current_version_id.unwrap_or(base.version.id);
    // A choice that is refused stays in its inputs.
    let shows_others = !is_refused && other_cells::are_asked(visit);
    let Some(newest) = current::<SpreadsheetContent>(visit, base).await? else {
        if shows_others {
            other_cells::show(visit, &mut asked)?;
        }
        let fields = fields(visit, &asked, is_refused);
        return Ok(ContentForm { version, fields, meanwhile: Markup::default(), lost: Some(Vec::new()) });
    };
    let mut followed = Followed::new(&content, asked, &newest);
    if shows_others {
        other_cells::show(visit, &mut followed.cells)?;
    }
    Ok(ContentForm {
        version,
        fields: fields(visit, &followed.cells, is_refused),
        meanwhile: meanwhile(&followed),
        lost: Some(lost(&content, &followed)),
    })
}

fn fields(visit: &SignedIn, cells: &Cells<'_>, is_refused: bool) -> Markup {
    html! {
        input type="hidden" name="sheet" value=(cells.sheet().name);
        input type="hidden" name="range" value=(cells.range);
        (other_cells::choice(visit, cells, is_refused))
        (unshown(cells))
        (cells.inputs())
    }
}

/// What was typed into cells that have no input. The form keeps it.
fn unshown(cells: &Cells<'_>) -> Markup {
    let texts = cells.unshown();
    html! {
        @for (number, ((sheet, cell), text)) in texts.iter().enumerate() {
            @let field = kept::write(&cells.content.sheets[*sheet].name, *cell, text);
            input type="hidden" name=(format!("{}-{number}", kept::FIELD)) value=(field);
        }
        @if !texts.is_empty() {
            div role="group" aria-labelledby="unshown" {
                p #unshown { (text!("You have typed into other cells too. The preview will include them.")) }
                ul {
                    @for (cell, text) in texts.iter().take(SHOWN) {
                        li { code { (cells.name(*cell)) } ": " bdi { (beginning(text)) } }
                    }
                }
                @if texts.len() > SHOWN { p { (text!("And {n} more.", n = texts.len() - SHOWN)) } }
            }
        }
    }
}

/// What was typed and is in no field, each with its cell as it was: `B3: 950`.
fn lost(old: &SpreadsheetContent, followed: &Followed<'_>) -> Vec<TypedText> {
    let shown = &followed.cells.sheet().name;
    let lost = followed.lost.iter().map(|((sheet, cell), text)| {
        let sheet = &old.sheets[*sheet].name;
        let place = if sheet == shown { cell.to_string() } else { kept::name(sheet, *cell) };
        let text = if text.is_empty() { format!("({})", text!("empty")) } else { text.clone() };
        TypedText::at(text!("Cells"), place, text)
    });
    lost.collect()
}

fn meanwhile(followed: &Followed<'_>) -> Markup {
    let Followed { cells, replaced, has_moved, lost } = followed;
    html! {
        @if !lost.is_empty() {
            p.alert {
                strong { (text!("Some of what you typed has no certain place any more. Copy it to the right cells.")) }
            }
        }
        @if *has_moved { p { (text!("Cells have moved. What you typed has moved with them.")) } }
        @if !replaced.is_empty() {
            div.alert {
                p { strong { (text!("Others have changed the same cells. Send yours again to replace theirs.")) } }
                ul {
                    @for (sheet, cell) in replaced.iter().take(SHOWN) {
                        @let theirs = text_of(&cells.content.sheets[*sheet], *cell);
                        li { code { (cells.name((*sheet, *cell))) } ": " bdi { (beginning(theirs)) } }
                    }
                }
                @if replaced.len() > SHOWN { p { (text!("And {n} more.", n = replaced.len() - SHOWN)) } }
            }
        } @else if !cells.typed.is_empty() {
            p { (text!("Others have changed other parts. Send yours again, and both are kept.")) }
        }
    }
}

/// The beginning of the text of a cell.
fn beginning(text: &str) -> String {
    if text.is_empty() {
        return format!("({})", text!("empty"));
    }
    let beginning: String = text.chars().take(SHOWN_CHARACTERS).collect();
    if beginning.len() < text.len() { beginning + "…" } else { beginning }
}
