//! `GET /f/{file_id}/edit`: the content in a form that a person can edit.

use maud::{Markup, html};
use shared_model::{Error, Refusal};
use shared_runtime::pages::{Page, SignedIn, what_was_typed};

use super::{
    content_form::ContentForm,
    document_form, note_form, sheet,
    versions::{edited, not_editable},
};
use crate::{
    faces::pages::{
        phrases::{address, file_href, name},
        refused,
    },
    files::versions::read::VersionAnswer,
};
use cloud_content::file_type::FileType;

pub async fn form(visit: SignedIn) -> Result<Page, Error> {
    shown(&visit).await
}

pub async fn shown(visit: &SignedIn) -> Result<Page, Error> {
    visit.must_be_allowed("propose_file_edit")?;
    page(visit, None).await
}

/// `refused` is the refusal of the form that was sent. What was typed stays in it.
pub async fn page(visit: &SignedIn, refused: Option<&Refusal>) -> Result<Page, Error> {
    let base = edited(visit).await?;
    let file = &base.file;
    let ContentForm { version, fields, meanwhile, lost } = content_form(visit, &base, refused.is_some()).await?;
    let body = html! {
        p { a href=(file_href(file.id)) { (text!("Back to {file}", file = name(&file.name))) } }
        (visit.form(&format!("{}/edit", file_href(file.id)), html! {
            input type="hidden" name="version" value=(version);
            // The version with which the edits are merged when they are sent.
            input type="hidden" name="newest" value=(file.current_version_id.unwrap_or(version));
            input type="hidden" name="etag" value=(file.etag);
            (fields)
            p.note { (text!("You see every change before the file changes.")) }
            button { (text!("Preview the changes")) }
        }))
    };
    let alert = match refused {
        Some(refusal) => {
            let lost = lost.unwrap_or_else(|| refused::lost(visit, &body));
            refused::alert_with(visit, Some(file.id), refusal, &lost).await?
        }
        // Others may have written before the person asked for other cells.
        None => what_was_typed(&lost.unwrap_or_default()),
    };
    let body = html! { (alert) (meanwhile) (compared(&base)) (body) };
    let page =
        Page::new(title!("Edit {file}", file = file.name), body).heading(text!("Edit {file}", file = name(&file.name)));
    Ok(match refused {
        Some(refusal) => page.refused_with(refusal.code),
        None => page,
    })
}

async fn content_form(visit: &SignedIn, base: &VersionAnswer, is_refused: bool) -> Result<ContentForm, Error> {
    // A form that was cleared on purpose is not filled again from the file.
    let is_sent = visit.value("etag").is_some();
    let (fields, meanwhile) = match base.file.kind {
        FileType::Spreadsheet => return sheet::form(visit, base, is_refused).await,
        FileType::Note => note_form::form(visit, base, is_sent).await?,
        FileType::Document => document_form::form(visit, base, is_sent).await?,
        _ => return Err(not_editable().into()),
    };
    Ok(ContentForm { version: base.version.id, fields, meanwhile, lost: None })
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
