//! `GET /f/{file_id}/edit`: the content in a form that a person can edit.

use maud::{Markup, html};
use shared_model::{Error, Refusal};
use shared_runtime::pages::{Page, SignedIn};

use super::{
    content_form::ContentForm,
    note as note_edits, sheet,
    versions::{current, edited, not_editable},
};
use crate::{
    faces::pages::{
        phrases::{address, file_href, name},
        refused,
        typed::typed,
    },
    files::versions::read::VersionAnswer,
};
use cloud_content::{
    documents::{content::DocumentContent, markdown::write},
    file_type::FileType,
    notes::content::NoteContent,
};

pub async fn form(visit: SignedIn) -> Result<Page, Error> {
    visit.must_be_allowed("propose_file_edit")?;
    page(&visit, None).await
}

/// `refused` is the refusal of the form that was sent. What was typed stays in it.
pub async fn page(visit: &SignedIn, refused: Option<&Refusal>) -> Result<Page, Error> {
    let base = edited(visit).await?;
    let file = &base.file;
    let ContentForm { version, fields, choice, meanwhile, lost } = content_form(visit, &base).await?;
    let body = html! {
        p { a href=(file_href(file.id)) { (text!("Back to {file}", file = name(&file.name))) } }
        (choice)
        (visit.form(&format!("{}/edit", file_href(file.id)), html! {
            input type="hidden" name="version" value=(version);
            input type="hidden" name="etag" value=(file.etag);
            (fields)
            p.note { (text!("You see every change before the file changes.")) }
            button { (text!("Preview the changes")) }
        }))
    };
    let alert = match refused {
        Some(refusal) => {
            let lost = lost.unwrap_or_else(|| refused::lost(visit, &body));
            let alert = refused::alert_with(visit, Some(file.id), refusal, &lost).await?;
            html! { (alert) (meanwhile) (compared(&base)) }
        }
        None => Markup::default(),
    };
    let page = Page::new(title!("Edit {file}", file = file.name), html! { (alert) (body) })
        .heading(text!("Edit {file}", file = name(&file.name)));
    Ok(match refused {
        Some(refusal) => page.refused_with(refusal.code),
        None => page,
    })
}

async fn content_form(visit: &SignedIn, base: &VersionAnswer) -> Result<ContentForm, Error> {
    // A form that was cleared on purpose is not filled again from the file.
    let is_sent = visit.value("etag").is_some();
    let json = base.content.get();
    let (fields, meanwhile) = match base.file.kind {
        FileType::Spreadsheet => return sheet::form(visit, base).await,
        FileType::Note => {
            let content: NoteContent = serde_json::from_str(json)?;
            let newest: Option<NoteContent> = current(visit, base).await?;
            let meanwhile = newest.map(|newest| beside(visit, &content, &newest)).unwrap_or_default();
            (note(visit, &content, is_sent), meanwhile)
        }
        FileType::Document => (document(visit, &serde_json::from_str(json)?, is_sent), Markup::default()),
        _ => return Err(not_editable().into()),
    };
    Ok(ContentForm { version: base.version.id, fields, choice: Markup::default(), meanwhile, lost: None })
}

/// What becomes of the lines that others have written into a note meanwhile.
fn beside(visit: &SignedIn, base: &NoteContent, newest: &NoteContent) -> Markup {
    let (title, text) = (typed(visit, "title"), typed(visit, "text"));
    let both = note_edits::differs(base, &title, &text) && note_edits::differs(base, &newest.title, &newest.content);
    html! {
        @if note_edits::replaces(base, newest, &title, &text) {
            p.alert { strong { (text!("Others have changed the same lines. Send yours again to replace theirs.")) } }
        } @else if both {
            p { (text!("Others have changed other parts. Send yours again, and both are kept.")) }
        }
    }
}

/// A link to what others have written while the person was editing.
fn compared(base: &VersionAnswer) -> Markup {
    let (file, from) = (&base.file, base.version.id);
    let href = format!("{}/compare", file_href(file.id));
    let now = file.current_version_id.filter(|now| *now != from);
    html! {
        @if let Some(now) = now {
            p {
                a href=(address(&href, &[("from", &from.to_string()), ("to", &now.to_string())])) {
                    (text!("See what has changed meanwhile"))
                }
            }
        }
    }
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
