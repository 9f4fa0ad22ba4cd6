//! `GET /f/{file_id}/edit`: the content in a form that a person can edit.

use maud::{Markup, html};
use serde::de::DeserializeOwned;
use shared_model::{Error, Problem, Refusal, code};
use shared_runtime::pages::{Page, SignedIn};

use super::{cells::Cells, note as note_edits};
use crate::{
    base::ids::FileId,
    faces::pages::{
        phrases::{address, file_href, name},
        refused,
        typed::typed,
    },
    files::{file::FileRecord, versions::read::VersionAnswer},
};
use cloud_content::{
    documents::{content::DocumentContent, markdown::write},
    file_type::FileType,
    notes::content::NoteContent,
    spreadsheets::content::SpreadsheetContent,
};

pub async fn form(visit: SignedIn) -> Result<Page, Error> {
    visit.must_be_allowed("propose_file_edit")?;
    page(&visit, None).await
}

/// The version that the person edits: of the form, or the current one.
// Not always the current one: what others wrote meanwhile must not look like a deletion of this person.
pub async fn edited(visit: &SignedIn) -> Result<VersionAnswer, Error> {
    let (id,): (FileId,) = visit.path()?;
    let id = id.to_string();
    let version = match visit.value("version").filter(|version| !version.is_empty()) {
        Some(version) => version.to_owned(),
        None => {
            let read = visit.operation("get_file").path(&[&id]);
            let file = read.answer::<crate::files::file::FileAnswer>().await?.file;
            file.current_version_id.ok_or_else(not_editable)?.to_string()
        }
    };
    visit.operation("get_version").path(&[&id, &version]).answer().await
}

/// The newest content of a file, if it is not the one that the person edits.
pub async fn current<C: DeserializeOwned>(visit: &SignedIn, base: &VersionAnswer) -> Result<Option<C>, Error> {
    let Some(newest) = base.file.current_version_id.filter(|newest| *newest != base.version.id) else {
        return Ok(None);
    };
    let read = visit.operation("get_version").path(&[&base.file.id.to_string(), &newest.to_string()]);
    let VersionAnswer { content, .. } = read.answer().await?;
    Ok(Some(serde_json::from_str(content.get())?))
}

/// 422 for files that have other ways to be edited.
pub fn not_editable() -> Refusal {
    let problem = Problem { at: "The file".to_owned(), rule: "must be a note, a document or a spreadsheet".to_owned() };
    Refusal::problems(&code::INVALID_FIELD, vec![problem])
}

/// `refused` is the refusal of the form that was sent. What was typed stays in it.
pub async fn page(visit: &SignedIn, refused: Option<&Refusal>) -> Result<Page, Error> {
    let base = edited(visit).await?;
    let VersionAnswer { file, version, content, .. } = &base;
    // A form that was cleared on purpose is not filled again from the file.
    let is_sent = visit.value("etag").is_some();
    let json = content.get();
    let (fields, beside) = match file.kind {
        FileType::Note => (note(visit, &serde_json::from_str(json)?, is_sent), Markup::default()),
        FileType::Document => (document(visit, &serde_json::from_str(json)?, is_sent), Markup::default()),
        FileType::Spreadsheet => {
            let content: SpreadsheetContent = serde_json::from_str(json)?;
            let cells = Cells::asked(visit, &content)?;
            (sheet(visit, &cells), choose(file, &content, &cells))
        }
        _ => return Err(not_editable().into()),
    };
    let body = html! {
        p { a href=(file_href(file.id)) { (text!("Back to {file}", file = name(&file.name))) } }
        (beside)
        (visit.form(&format!("{}/edit", file_href(file.id)), html! {
            input type="hidden" name="version" value=(version.id);
            input type="hidden" name="etag" value=(file.etag);
            (fields)
            p.note { (text!("You see every change before the file changes.")) }
            button { (text!("Preview the changes")) }
        }))
    };
    let alert = match refused {
        Some(refusal) => html! {
            (refused::alert(visit, Some(file.id), refusal, &body).await?)
            (meanwhile(visit, &base).await?)
        },
        None => Markup::default(),
    };
    let page = Page::new(title!("Edit {file}", file = file.name), html! { (alert) (body) })
        .heading(text!("Edit {file}", file = name(&file.name)));
    Ok(match refused {
        Some(refusal) => page.refused_with(refusal.code),
        None => page,
    })
}

/// What others have written while the person was editing.
async fn meanwhile(visit: &SignedIn, base: &VersionAnswer) -> Result<Markup, Error> {
    let VersionAnswer { file, version, content, .. } = base;
    let Some(now) = file.current_version_id.filter(|now| *now != version.id) else {
        return Ok(Markup::default());
    };
    // Blocks and cells are written one by one, but the text of a note is written as a whole.
    let replaces = file.kind == FileType::Note
        && match current(visit, base).await? {
            Some(theirs) => {
                let (title, text) = (typed(visit, "title"), typed(visit, "text"));
                note_edits::replaces(&serde_json::from_str(content.get())?, &theirs, &title, &text)
            }
            None => false,
        };
    let href = format!("{}/compare", file_href(file.id));
    Ok(html! {
        @if replaces {
            p.alert { strong { (text!("Others have changed the same lines. Send yours again to replace theirs.")) } }
        }
        p {
            a href=(address(&href, &[("from", &version.id.to_string()), ("to", &now.to_string())])) {
                (text!("See what has changed meanwhile"))
            }
        }
    })
}

fn note(visit: &SignedIn, content: &NoteContent, is_sent: bool) -> Markup {
    let (title, text) = match is_sent {
        true => (typed(visit, "title"), typed(visit, "text")),
        false => (content.title.clone(), content.content.clone()),
    };
    html! {
        label for="title" { (text!("Title")) }
        input.wide #title name="title" value=(title) dir="auto";
        label for="text" { (text!("Text, shown as Markdown")) }
        textarea.long #text name="text" dir="auto" { "\n" (text) }
    }
}

fn document(visit: &SignedIn, content: &DocumentContent, is_sent: bool) -> Markup {
    let text = if is_sent { typed(visit, "text") } else { write::write(content) };
    html! {
        label for="text" { (text!("Text, in Markdown")) }
        // HTML drops a line break at the beginning of a text area.
        textarea.long #text name="text" dir="auto" { "\n" (text) }
    }
}

fn sheet(visit: &SignedIn, cells: &Cells<'_>) -> Markup {
    html! {
        input type="hidden" name="sheet" value=(cells.sheet.name);
        input type="hidden" name="range" value=(cells.range);
        (cells.inputs(visit))
    }
}

/// Which cells to edit.
fn choose(file: &FileRecord, content: &SpreadsheetContent, cells: &Cells<'_>) -> Markup {
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
