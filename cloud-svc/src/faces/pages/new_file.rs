//! `/w/new`: make a folder, a note, a document or a spreadsheet.

use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Value, json};
use shared_model::{Error, Refusal, code};
use shared_runtime::pages::{Page, PageResponse, Redirect, SignedIn, TypedText, in_english, what_was_typed};

use super::{
    new_kind::{KINDS, Kind, UPLOAD},
    phrases::{address, file_href, name},
    refused,
    typed::typed,
};
use crate::files::file::FileRecord;

/// The field of the buttons that change the kind. They make nothing: they show the same texts in another form.
pub const OTHER_KIND: &str = "to";

/// A new file, and what its import lost.
#[derive(Deserialize)]
pub struct Created {
    file: FileRecord,
    /// Absent for a folder.
    #[serde(default)]
    import: Imported,
}

#[derive(Default, Deserialize)]
struct Imported {
    warnings: Vec<Warning>,
}

#[derive(Deserialize)]
struct Warning {
    message: String,
}

pub async fn form(visit: SignedIn) -> Result<Page, Error> {
    visit.must_be_allowed("import_text")?;
    page(&visit, None).await
}

pub async fn create(visit: SignedIn) -> Result<PageResponse, Error> {
    if visit.value(OTHER_KIND).is_some() {
        return form(visit).await.map(PageResponse::from);
    }
    match carry_out(&visit).await {
        Ok(created) => Ok(made(&created)),
        Err(Error::Refused(refusal)) if refused::is_shown(&refusal) => {
            page(&visit, Some(&refusal)).await.map(PageResponse::from)
        }
        Err(error) => Err(error),
    }
}

async fn carry_out(visit: &SignedIn) -> Result<Created, Error> {
    // A space at the end is a typing mistake, and a name must not end with one.
    let mut body = json!({"name": typed(visit, "name").trim()});
    if let Some(folder) = visit.value("in").filter(|folder| !folder.is_empty()) {
        body["parent_id"] = json!(folder);
    }
    let kind = kind(visit)?;
    // A folder has no text.
    if let Some(format) = kind.format {
        body["format"] = json!(format);
        body["text"] = Value::String(typed(visit, "text"));
    }
    let operation = if kind.format.is_some() { "import_text" } else { "create_folder" };
    visit.operation(operation).once().json(body).answer().await
}

fn kind(visit: &SignedIn) -> Result<&'static Kind, Refusal> {
    let word = visit.value(OTHER_KIND).or(visit.value("kind"));
    let word = word.filter(|word| !word.is_empty()).unwrap_or(KINDS[0].word);
    let kind = KINDS.iter().find(|kind| kind.word == word);
    kind.ok_or_else(|| code::invalid_parameter("kind", "must be a kind of file that can be made here"))
}

/// Leads to the new file, but says first what it lost.
pub fn made(created: &Created) -> PageResponse {
    match created.import.warnings.is_empty() {
        true => Redirect::to(file_href(created.file.id)).into(),
        false => with_warnings(created).into(),
    }
}

fn with_warnings(created: &Created) -> Page {
    let body = html! {
        p { (text!("Some of it was simplified:")) }
        ul { @for warning in &created.import.warnings { li { bdi { (in_english(&warning.message)) } } } }
        p { a.button href=(file_href(created.file.id)) { (text!("Open it")) } }
    };
    let title = title!("{file} is made", file = created.file.name);
    Page::new(title, body).heading(text!("{file} is made", file = name(&created.file.name)))
}

/// `refused` is the refusal of the form that was sent. What was typed stays in it.
pub async fn page(visit: &SignedIn, refused: Option<&Refusal>) -> Result<Page, Error> {
    let kind = kind(visit)?;
    let folder = visit.value("in").unwrap_or_default();
    let body = html! {
        @if kind.word == UPLOAD { (upload_form(visit, kind, folder)) } @else { (text_form(visit, kind, folder)) }
        p { a href=(if folder.is_empty() { "/w".to_owned() } else { format!("/f/{folder}") }) { (text!("Back")) } }
    };
    Ok(match refused {
        Some(refusal) => {
            let alert = refused::alert(visit, None, refusal, &body).await?;
            Page::new(kind.title, html! { (alert) (body) }).refused_with(refusal.code)
        }
        None => Page::new(kind.title, body),
    })
}

fn text_form(visit: &SignedIn, kind: &Kind, folder: &str) -> Markup {
    let text = typed(visit, "text");
    let fields = html! {
        input type="hidden" name="kind" value=(kind.word);
        input type="hidden" name="in" value=(folder);
        // Pressed by the key Enter, which presses the first button of a form: the next ones change the kind.
        button.hidden tabindex="-1" aria-hidden="true" { (text!("Make it")) }
        (kinds(kind))
        label for="name" { (text!("Name")) }
        input.wide #name name="name" value=(typed(visit, "name")) required maxlength="190" autocomplete="off" dir="auto";
        @if let Some(label) = kind.text {
            label for="text" { (label) }
            textarea.long #text name="text" dir="auto" { "\n" (text) }
        } @else {
            input type="hidden" name="text" value=(text);
            (what_was_typed(&unseen(visit, kind)))
        }
        button { (text!("Make it")) }
    };
    visit.form("/w/new", fields)
}

fn upload_form(visit: &SignedIn, kind: &Kind, folder: &str) -> Markup {
    let others = html! {
        input type="hidden" name="in" value=(folder);
        input type="hidden" name="name" value=(typed(visit, "name"));
        input type="hidden" name="text" value=(typed(visit, "text"));
        (kinds(kind))
        (what_was_typed(&unseen(visit, kind)))
    };
    let fields = html! {
        input type="hidden" name="kind" value=(UPLOAD);
        input type="hidden" name="in" value=(folder);
        label for="file" { (text!("A file of at most 20 MiB")) }
        input.wide #file name="file" type="file" required;
        button { (text!("Upload")) }
    };
    html! { (visit.form("/w/new", others)) (visit.file_form("/w/upload", fields)) }
}

/// Links to the forms of the other kinds. They are buttons, because a link would lose what was typed.
fn kinds(kind: &Kind) -> Markup {
    html! {
        nav aria-label=(text!("What to make")) {
            ul.tabs {
                @for each in &KINDS {
                    @let current = (each.word == kind.word).then_some("page");
                    // Also without a name, which the browser would ask for.
                    li {
                        button name=(OTHER_KIND) value=(each.word) formnovalidate role="link" aria-current=[current] {
                            (each.name)
                        }
                    }
                }
            }
        }
    }
}

/// What was typed for another kind and has no field in this one. The form keeps it, but a file made now lacks it.
fn unseen(visit: &SignedIn, kind: &Kind) -> Vec<TypedText> {
    let name = (kind.word == UPLOAD).then(|| TypedText::new(text!("Name"), typed(visit, "name")));
    let text = kind.text.is_none().then(|| TypedText::new(text!("Text"), typed(visit, "text")));
    name.into_iter().chain(text).filter(|unseen| !unseen.text.trim().is_empty()).collect()
}

/// The links that lead here, from a folder or from the top.
pub fn links(visit: &SignedIn, folder: &str) -> Markup {
    html! {
        @if visit.may("import_text") {
            nav.tools aria-label=(text!("New")) {
                a.button href=(address("/w/new", &[("in", folder)])) aria-keyshortcuts="n" { (text!("New")) }
                a.button.quiet href=(address("/w/new", &[("kind", "folder"), ("in", folder)])) { (text!("New folder")) }
                a.button.quiet href=(address("/w/new", &[("kind", UPLOAD), ("in", folder)])) aria-keyshortcuts="u" {
                    (text!("Upload"))
                }
            }
        }
    }
}
