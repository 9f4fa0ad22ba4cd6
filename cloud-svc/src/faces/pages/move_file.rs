//! `/f/{file_id}/move`: choose a folder, and move or copy the file there.

use maud::{Markup, html};
use serde_json::json;
use shared_model::{Error, Refusal, code};
use shared_runtime::pages::{Page, PageResponse, Redirect, SignedIn};

use super::{
    actions::{COPY, MOVE},
    phrases::{address, file_href, name},
    refused,
};
use crate::{
    base::ids::FileId,
    files::{
        details::{read::DetailsAnswer, record::PathEntry},
        file::{FileAnswer, FileRecord},
        list::FileList,
    },
};
use cloud_content::file_type::FileType;

const ROWS: &str = "50";
/// The top, as operations call it.
const TOP: &str = "root";

pub async fn choose(visit: SignedIn) -> Result<Page, Error> {
    page(&visit, None).await
}

pub async fn act(visit: SignedIn) -> Result<PageResponse, Error> {
    match carry_out(&visit).await {
        Ok(file) => Ok(Redirect::to(file_href(file)).into()),
        Err(Error::Refused(refusal)) if refused::is_shown(&refusal) => {
            page(&visit, Some(&refusal)).await.map(PageResponse::from)
        }
        Err(error) => Err(error),
    }
}

/// The moved file, or the copy.
async fn carry_out(visit: &SignedIn) -> Result<FileId, Error> {
    let (file,): (FileId,) = visit.path()?;
    let id = file.to_string();
    let place = visit.value("in").filter(|place| !place.is_empty()).unwrap_or(TOP);
    let answer: FileAnswer = match visit.value("action").unwrap_or_default() {
        MOVE => {
            let call = visit.operation("move_file").path(&[&id]).once();
            call.if_match(visit.value("etag").unwrap_or_default()).json(json!({"parent_id": place})).answer().await?
        }
        COPY => {
            let body = json!({"parent_id": place, "name": visit.value("name").unwrap_or_default()});
            visit.operation("copy_file").path(&[&id]).once().json(body).answer().await?
        }
        _ => return Err(code::invalid_parameter("action", "must be what a form of this page asks for").into()),
    };
    Ok(answer.file.id)
}

async fn page(visit: &SignedIn, refused: Option<&Refusal>) -> Result<Page, Error> {
    let (id,): (FileId,) = visit.path()?;
    let details = visit.operation("get_file_details").path(&[&id.to_string()]);
    let DetailsAnswer { file, .. } = details.answer().await?;
    // First the folder that it is in: most moves go to a neighbor of it.
    let own = file.parent_id.map_or(TOP.to_owned(), |parent| parent.to_string());
    let place = visit.value("in").filter(|place| !place.is_empty()).unwrap_or(&own);
    let way = way(visit, place).await?;
    let call = visit.operation("list_files").query("parent_id", place).query("type", FileType::Folder.as_str());
    let cursor = visit.value("cursor").unwrap_or_default();
    let mut folders: FileList = call.query("limit", ROWS).query("cursor", cursor).answer().await?;
    // A folder cannot be moved into itself.
    folders.items.retain(|folder| folder.id != file.id);
    let here = format!("{}/move", file_href(id));
    let to = |folder: &str| address(&here, &[("in", folder)]);
    let body = html! {
        p { a href=(file_href(id)) { (text!("Back to {file}", file = name(&file.name))) } }
        nav.crumbs aria-label=(text!("The chosen folder")) {
            ol {
                li { a href=(to(TOP)) { (text!("Files")) } }
                @for folder in &way { li { a href=(to(&folder.id.to_string())) { (name(&folder.name)) } } }
            }
        }
        h2 {
            @match way.last() {
                Some(folder) => (text!("Folders in {folder}", folder = name(&folder.name))),
                None => (text!("Folders at the top")),
            }
        }
        @if folders.items.is_empty() { p { (text!("There is no folder in it.")) } }
        ul.folders { @for folder in &folders.items { li { a href=(to(&folder.id.to_string())) { (name(&folder.name)) } } } }
        @if let Some(cursor) = &folders.next_cursor {
            nav.pages aria-label=(text!("Pages of the folders")) {
                a rel="next" href=(address(&here, &[("in", place), ("cursor", cursor)])) { (text!("Next page")) }
            }
        }
        (forms(visit, &file, (place, &own)))
    };
    let alert = match refused {
        Some(refusal) => refused::alert(visit, Some(id), refusal, &body).await?,
        None => Markup::default(),
    };
    let body = html! { (alert) (body) };
    let page = Page::new(title!("Move or copy {file}", file = file.name), body);
    let page = page.heading(text!("Move or copy {file}", file = name(&file.name)));
    Ok(match refused {
        Some(refusal) => page.refused_with(refusal.code),
        None => page,
    })
}

/// The folders from the top to `place`.
async fn way(visit: &SignedIn, place: &str) -> Result<Vec<PathEntry>, Error> {
    if place == TOP {
        return Ok(Vec::new());
    }
    let DetailsAnswer { file, details, .. } = visit.operation("get_file_details").path(&[place]).answer().await?;
    Ok(details.path.into_iter().chain([PathEntry { id: file.id, name: file.name }]).collect())
}

fn forms(visit: &SignedIn, file: &FileRecord, (place, own): (&str, &str)) -> Markup {
    let form = |action: &str, inside: Markup| {
        let fields = html! {
            input type="hidden" name="action" value=(action);
            input type="hidden" name="etag" value=(file.etag);
            input type="hidden" name="in" value=(place);
            (inside)
        };
        visit.form(&format!("{}/move", file_href(file.id)), fields)
    };
    html! {
        @if place == own {
            p.note { (text!("This is the folder that it is in.")) }
        } @else if visit.may("move_file") {
            (form(MOVE, html! { button { (text!("Move it here")) } }))
        }
        @if file.kind != FileType::Folder && visit.may("copy_file") {
            (form(COPY, html! {
                label for="name" { (text!("Name of the copy")) }
                div.row {
                    input #name name="name" value=(visit.value("name").unwrap_or(&file.name)) required maxlength="190" dir="auto";
                    button.quiet { (text!("Copy it here")) }
                }
            }))
        }
    }
}
