//! The form for some cells of a sheet.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{SignedIn, TypedText};

use super::{
    cells::{Cells, address, text_of},
    content_form::ContentForm,
    followed::Followed,
    versions::current,
};
use crate::{
    faces::pages::phrases::file_href,
    files::{file::FileRecord, versions::read::VersionAnswer},
};
use cloud_content::spreadsheets::{
    a1::cell::Cell,
    content::{SpreadsheetContent, sheet::Sheet},
};

// Of the cells that others have edited too, and of their texts. The comparison of the versions shows all.
const SHOWN: usize = 20;
const SHOWN_CHARACTERS: usize = 80;

/// Shows the newest version. What was typed into an older one is put into its cells, wherever they are now.
pub async fn form(visit: &SignedIn, base: &VersionAnswer) -> Result<ContentForm, Error> {
    let file = &base.file;
    let content: SpreadsheetContent = serde_json::from_str(base.content.get())?;
    let asked = Cells::asked(visit, &content)?;
    let version = file.current_version_id.unwrap_or(base.version.id);
    let Some(newest) = current::<SpreadsheetContent>(visit, base).await? else {
        let (fields, choice) = (fields(&asked), choice(file, &content, &asked));
        return Ok(ContentForm { version, fields, choice, meanwhile: Markup::default(), lost: Some(Vec::new()) });
    };
    let sheet = asked.sheet;
    let followed = Followed::new(&content, asked, &newest);
    Ok(ContentForm {
        version,
        fields: fields(&followed.cells),
        choice: choice(file, &newest, &followed.cells),
        meanwhile: meanwhile(&followed),
        lost: Some(lost(sheet, &followed)),
    })
}

fn fields(cells: &Cells<'_>) -> Markup {
    html! {
        input type="hidden" name="sheet" value=(cells.sheet.name);
        input type="hidden" name="range" value=(cells.range);
        (cells.inputs())
    }
}

/// Which cells to edit.
fn choice(file: &FileRecord, content: &SpreadsheetContent, cells: &Cells<'_>) -> Markup {
    html! {
        form method="get" action=(format!("{}/edit", file_href(file.id))) {
            div.row {
                label for="sheet" { (text!("Sheet")) }
                select #sheet name="sheet" {
                    @for sheet in &content.sheets {
                        option value=(sheet.name) selected[sheet.name == cells.sheet.name] { (sheet.name) }
                    }
                }
                label for="range" { (text!("Cells")) }
                input #range name="range" value=(cells.range) required;
                button.quiet { (text!("Show these")) }
            }
        }
    }
}

/// What was typed and is in no field, each with its cell as it was: `B3: 950`.
fn lost(sheet: &Sheet, followed: &Followed<'_>) -> Vec<TypedText> {
    let name = if followed.cells.sheet.name == sheet.name { String::new() } else { format!("{}!", sheet.name) };
    let line = |(cell, text): (&Cell, &String)| {
        let text = if text.is_empty() { format!("({})", text!("empty")) } else { text.clone() };
        (text!("Cells"), format!("{name}{}: {text}", address(*cell)))
    };
    followed.lost.iter().map(line).collect()
}

fn meanwhile(followed: &Followed<'_>) -> Markup {
    let Followed { cells, replaced, has_moved, lost } = followed;
    html! {
        @if !lost.is_empty() {
            p.alert {
                strong { (text!("Some of what you typed has no certain place any more. Copy it to the right cells.")) }
            }
        }
        @if *has_moved { p { (text!("Cells have moved. What you typed is in them, where they are now.")) } }
        @if !replaced.is_empty() {
            div.alert {
                p { strong { (text!("Others have changed the same cells. Send yours again to replace theirs.")) } }
                ul {
                    @for cell in replaced.iter().take(SHOWN) {
                        li { code { (address(*cell)) } ": " bdi { (theirs(cells.sheet, *cell)) } }
                    }
                }
                @if replaced.len() > SHOWN { p { (text!("And {n} more.", n = replaced.len() - SHOWN)) } }
            }
        } @else if !cells.typed.is_empty() {
            p { (text!("Others have changed other parts. Send yours again, and both are kept.")) }
        }
    }
}

/// The beginning of the text that is there now.
fn theirs(sheet: &Sheet, cell: Cell) -> String {
    let text = text_of(sheet, cell);
    if text.is_empty() {
        return format!("({})", text!("empty"));
    }
    let beginning: String = text.chars().take(SHOWN_CHARACTERS).collect();
    if beginning.len() < text.len() { beginning + "…" } else { beginning }
}
