//! `POST /w/chosen`: moves or trashes the files that were chosen in a list, and says why others stay.

use maud::{Markup, html};
use serde_json::{Value, json};
use shared_model::{Error, Refusal, code};
use shared_runtime::pages::{Page, PageResponse, Redirect, SignedIn, in_english};

use super::{
    actions::{MOVE, TRASH},
    phrases::{counted, name},
};
use crate::files::{
    file::{FileAnswer, FileRecord},
    list::FileList,
};
use cloud_content::file_type::FileType;

pub const PATH: &str = "/w/chosen";
/// The field of a row with this number.
pub const FIELD: &str = "file";
/// Rows of a list at most.
pub const FILES: usize = 100;
/// Moves to a folder that is chosen by now.
const MOVE_HERE: &str = "move-here";
const FOLDERS: &str = "100";

/// The file, and the state of it that the person has seen.
pub fn value(file: &FileRecord) -> String {
    format!("{} {}", file.id, file.etag)
}

struct Failed {
    file: String,
    reason: String,
}

pub async fn act(visit: SignedIn) -> Result<PageResponse, Error> {
    let chosen: Vec<(&str, &str)> = chosen(&visit);
    let back = back(&visit);
    if chosen.is_empty() {
        let body = html! { p { (text!("Choose files first.")) } p { a.button href=(back) { (text!("Back")) } } };
        return Ok(Page::new(text!("Nothing is chosen"), body).into());
    }
    let (operation, body) = match visit.value("action").unwrap_or_default() {
        TRASH => ("trash_file", json!({})),
        MOVE => return Ok(choose_folder(&visit, &chosen, back).await?.into()),
        MOVE_HERE => ("move_file", json!({"parent_id": visit.value("in").unwrap_or("root")})),
        _ => return Err(code::invalid_parameter("action", "must be what a form of this page asks for").into()),
    };
    let (mut done, mut failed) = (0, Vec::new());
    for (file, etag) in chosen {
        match one(&visit, (operation, &body), (file, etag)).await {
            Ok(()) => done += 1,
            // It would be refused for every other file too.
            Err(Error::Refused(refusal)) if [401, 403, 429, 503].contains(&refusal.code.status) && done == 0 => {
                return Err(Error::Refused(refusal));
            }
            Err(Error::Refused(refusal)) => failed.push(failure(&visit, file, &refusal).await?),
            Err(error) => return Err(error),
        }
    }
    if failed.is_empty() {
        return Ok(Redirect::to(back).into());
    }
    Ok(report(done, &failed, back).into())
}

async fn one(
    visit: &SignedIn,
    (operation, body): (&'static str, &Value),
    (file, etag): (&str, &str),
) -> Result<(), Error> {
    // With a key for each file: one form calls the operation for all of them.
    let call = visit.operation(operation).path(&[file]).once_for(file).if_match(etag);
    call.json(body.clone()).text().await.map(drop)
}

fn chosen(visit: &SignedIn) -> Vec<(&str, &str)> {
    let rows = (0..FILES).filter_map(|row| visit.value(&format!("{FIELD}-{row}")));
    rows.filter_map(|value| value.split_once(' ')).collect()
}

/// The list from which the form was sent.
fn back(visit: &SignedIn) -> &str {
    let back = visit.value("back").unwrap_or_default();
    let is_list =
        back == "/w" || back.strip_prefix("/f/file_").is_some_and(|id| id.bytes().all(|b| b.is_ascii_digit()));
    if is_list { back } else { "/w" }
}

async fn failure(visit: &SignedIn, file: &str, refusal: &Refusal) -> Result<Failed, Error> {
    let read = visit.operation("get_file").path(&[file]).answer::<FileAnswer>().await;
    let file = match read {
        Ok(read) => read.file.name,
        Err(Error::Refused(_)) => file.to_owned(),
        Err(error) => return Err(error),
    };
    Ok(Failed { file, reason: refusal.message.to_string() })
}

fn files(count: usize) -> String {
    counted(count, text!("{n} file"), text!("{n} files"))
}

fn report(done: usize, failed: &[Failed], back: &str) -> Page {
    let body = html! {
        p { (text!("Changed: {done}. Not changed: {failed}.", done = files(done), failed = files(failed.len()))) }
        ul { @for Failed { file, reason } in failed { li { (name(file)) ": " (in_english(reason)) } } }
        p { a.button href=(back) { (text!("Back to the list")) } }
    };
    Page::new(text!("Some files were not changed"), body)
}

async fn choose_folder(visit: &SignedIn, chosen: &[(&str, &str)], back: &str) -> Result<Page, Error> {
    let call = visit.operation("list_files").query("type", FileType::Folder.as_str()).query("limit", FOLDERS);
    let folders: FileList = call.answer().await?;
    let is_chosen = |folder: &FileRecord| chosen.iter().any(|(file, _)| *file == folder.id.to_string());
    let fields: Markup = html! {
        input type="hidden" name="back" value=(back);
        @for (index, (file, etag)) in chosen.iter().enumerate() {
            input type="hidden" name=(format!("{FIELD}-{index}")) value=(format!("{file} {etag}"));
        }
        label for="in" { (text!("Folder")) }
        div.row {
            select #in name="in" {
                option value="root" { (text!("Files (at the top)")) }
                // Newest first: people move files to a folder that they have just made.
                @for folder in folders.items.iter().filter(|folder| !is_chosen(folder)) {
                    option value=(folder.id) { (folder.name) }
                }
            }
            button name="action" value=(MOVE_HERE) { (text!("Move")) }
        }
        @if folders.has_more {
            p.note { (text!("These are the newest folders. The page of a file lists all others.")) }
        }
    };
    let body = html! { (visit.form(PATH, fields)) p { a href=(back) { (text!("Back")) } } };
    Ok(Page::new(title!("Move {files}", files = files(chosen.len())), body))
}
