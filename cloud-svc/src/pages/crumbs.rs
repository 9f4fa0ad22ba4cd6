//! The way to a file: the folders that it is in.

use maud::{Markup, html};
use shared_model::{Error, code};
use shared_runtime::pages::SignedIn;

use super::phrases::name;
use crate::{
    files::{store, tree},
    ids::{FileId, WorkspaceId},
    permissions::ReadFiles,
};

/// The folders from the top to this one.
pub async fn folders(visit: &SignedIn, folder: Option<&str>) -> Result<Vec<(FileId, String)>, Error> {
    let owner = WorkspaceId::of(&*visit.caller::<ReadFiles>()?)?;
    let Some(folder) = folder else { return Ok(Vec::new()) };
    let folder: FileId = folder.parse().map_err(|_| code::not_found())?;
    let found = visit.context.read(move |conn| {
        let path: Vec<FileId> = tree::path(conn, folder)?.into_iter().map(|folder| folder.id).collect();
        let mut named = Vec::new();
        for id in path.iter().rev() {
            // What is in the trash with its folder has no way to it.
            let file = store::find(conn, owner, *id)?;
            named.extend(file.map(|file| (file.id, file.name)));
        }
        Ok(named)
    });
    found.await
}

/// The way as links.
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
