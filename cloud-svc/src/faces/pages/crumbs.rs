//! Links to the folders above a file.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::SignedIn;

use super::phrases::name;
use crate::{
    base::{
        ids::{FileId, WorkspaceId},
        permissions::ReadFiles,
    },
    files::tree,
};

/// The folders from the top level to this one.
pub async fn folders(visit: &SignedIn, folder: Option<FileId>) -> Result<Vec<(FileId, String)>, Error> {
    let owner = WorkspaceId::from_identity(&*visit.caller::<ReadFiles>()?)?;
    let Some(folder) = folder else { return Ok(Vec::new()) };
    // The only query of a page. All else comes from operations, but none returns the names of a path.
    visit.context.read(move |conn| Ok(tree::visible_path(conn, owner, folder)?)).await
}

pub fn show(folders: &[(FileId, String)]) -> Markup {
    html! {
        nav.crumbs aria-label="Folders" {
            ol {
                li { a href="/w" { "Files" } }
                @for (id, text) in folders { li { a href=(format!("/f/{id}")) { (name(text)) } } }
            }
        }
    }
}
