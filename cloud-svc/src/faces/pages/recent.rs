//! The files that changed last, wherever they are.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::SignedIn;

use super::{
    icons::icon,
    phrases::{ago, file_href, name},
};
use crate::files::{file::FileRecord, list::FileList};
use cloud_content::file_type::FileType;

const SHOWN: usize = 5;
// More than are shown, because folders are among them.
const ROWS: &str = "12";

/// Empty if all of them are at the top, where the list below has them.
pub async fn show(visit: &SignedIn) -> Result<Markup, Error> {
    let list: FileList = visit.operation("list_files").query("limit", ROWS).answer().await?;
    let files: Vec<&FileRecord> = list.items.iter().filter(|file| file.kind != FileType::Folder).take(SHOWN).collect();
    let now = visit.context.clock.now();
    Ok(html! {
        @if files.iter().any(|file| file.parent_id.is_some()) {
            section.recent aria-labelledby="recent" {
                h2 #recent { (text!("Recent")) }
                ul {
                    @for file in files {
                        li { (icon(file.kind)) a href=(file_href(file.id)) { (name(&file.name)) } " " span.note { (ago(now, file.updated_at)) } }
                    }
                }
            }
        }
    })
}
