//! The fields of an agent's limits.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::SignedIn;

use super::words;
use crate::{
    base::ids::FileId,
    edits::agents::record::AgentLimits,
    faces::pages::{
        listing::label,
        phrases::{bytes, name},
    },
    files::{file::FileAnswer, list::FileList},
    workspace::agents::May,
};
use cloud_content::file_type::FileType;

pub const FOLDER: &str = "folder";
/// Those that the form lists at most, and those of the limits that are not among them.
pub const FOLDERS: usize = 120;
pub const KIND: &str = "kind";
pub const KINDS: usize = 8;
// The values of `rooms` and `kinds`.
pub const SOME: &str = "some";
pub const ALL: &str = "all";
const ROWS: &str = "100";

/// The folders to choose from: the newest of the workspace, and those that the limits have.
async fn folders(visit: &SignedIn, limits: &AgentLimits) -> Result<Vec<(FileId, String)>, Error> {
    let call = visit.operation("list_files").query("type", FileType::Folder.as_str()).query("limit", ROWS);
    let list: FileList = call.answer().await?;
    let mut folders: Vec<(FileId, String)> = list.items.into_iter().map(|folder| (folder.id, folder.name)).collect();
    let known: Vec<FileId> = folders.iter().map(|(id, _)| *id).collect();
    for id in limits.folders.iter().flatten().filter(|id| !known.contains(id)) {
        let read = visit.operation("get_file").path(&[&id.to_string()]).answer::<FileAnswer>().await;
        folders.push((
            *id,
            match read {
                Ok(read) => read.file.name,
                // In the trash, or purged. It stays ticked, so that saving does not widen the limits.
                Err(Error::Refused(_)) => id.to_string(),
                Err(error) => return Err(error),
            },
        ));
    }
    Ok(folders)
}

/// The ticked boxes of `FOLDER` or `KIND`.
pub fn ticked<'v>(visit: &'v SignedIn, field: &str, count: usize) -> Vec<&'v str> {
    (0..count).filter_map(|index| visit.value(&format!("{field}-{index}"))).collect()
}

/// With the limits that the agent has, or with those of a form that was refused.
pub async fn show(visit: &SignedIn, limits: &AgentLimits) -> Result<Markup, Error> {
    let mut limits = limits.clone();
    if let Some(may) = visit.value("may") {
        limits.may = May::from_word(may).unwrap_or(limits.may);
        let folders = || ticked(visit, FOLDER, FOLDERS).into_iter().filter_map(|id| id.parse().ok()).collect();
        limits.folders = (visit.value("rooms") == Some(SOME)).then(folders);
        let types = || ticked(visit, KIND, KINDS).into_iter().filter_map(FileType::from_word).collect();
        limits.types = (visit.value("kinds") == Some(SOME)).then(types);
    }
    let limits = &limits;
    let stored_bytes = limits.bytes_per_day.map(|bytes| bytes.to_string());
    let typed_bytes = visit.value("bytes").map(str::to_owned).or(stored_bytes);
    let folders = folders(visit, limits).await?;
    let radio = |name: &str, value: &str, is_chosen: bool, text: Markup| {
        html! { label.option { input type="radio" name=(name) value=(value) checked[is_chosen]; " " (text) } }
    };
    let is_folder = |id: &FileId| limits.folders.as_ref().is_some_and(|folders| folders.contains(id));
    let is_kind = |kind: FileType| limits.types.as_ref().is_some_and(|kinds| kinds.contains(&kind));
    // Folders are always seen: they lead to the files.
    let kinds = FileType::ALL.iter().filter(|(_, kind)| *kind != FileType::Folder);
    Ok(html! {
        fieldset {
            legend { (text!("It may")) }
            @for (word, may) in May::ALL { (radio("may", word, limits.may == *may, html! { (words::may(*may)) })) }
        }
        fieldset {
            legend { (text!("It sees")) }
            (radio("rooms", ALL, limits.folders.is_none(), html! { (text!("all folders")) }))
            (radio("rooms", SOME, limits.folders.is_some(), html! { (text!("only these folders, with all that is in them (at most 20):")) }))
            ul.boxes {
                @for (index, (id, folder)) in folders.iter().enumerate() {
                    li { label { input type="checkbox" name=(format!("{FOLDER}-{index}")) value=(id) checked[is_folder(id)]; " " (name(folder)) } }
                }
            }
        }
        fieldset {
            legend { (text!("Of these it sees")) }
            (radio("kinds", ALL, limits.types.is_none(), html! { (text!("files of all types")) }))
            (radio("kinds", SOME, limits.types.is_some(), html! { (text!("only files of these types, and folders:")) }))
            ul.boxes {
                @for (index, (word, kind)) in kinds.enumerate() {
                    li { label { input type="checkbox" name=(format!("{KIND}-{index}")) value=(word) checked[is_kind(*kind)]; " " (label(*kind)) } }
                }
            }
        }
        label for="bytes" { (text!("Bytes that it may write in a day (empty: as much as the workspace holds)")) }
        input.wide #bytes name="bytes" type="number" min="0" step="1" value=[typed_bytes];
        @if let Some(most) = limits.bytes_per_day {
            p.note { (text!("Now {size}. The day begins at midnight, UTC.", size = bytes(most))) }
        }
    })
}
