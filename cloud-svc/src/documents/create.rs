//! `POST /v1/documents`: create a private native document with an immutable initial version.

use shared_model::{Error, Failure, Name, Refusal, code};
use shared_runtime::{Answer, Body, Caller, Context, Once, State};

use super::content::DocumentContent;
use crate::{
    codes,
    content::Content as _,
    files::{
        self,
        file::{File, FileAnswer, FileRecords, FileState, FileType},
        store::NewFile,
    },
    ids::{FileId, WorkspaceId},
    permissions::WriteFiles,
    versions,
    workspaces::store::{self as workspaces, Workspace},
};

shared_model::json_object! {
    /// What is sent.
    #[derive(Debug)]
    pub struct CreateDocument {
        /// Its name.
        pub name: Name,
        /// The folder it shall be in; absent: at the top.
        pub parent_id: Option<FileId>,
        /// Its content; absent: one empty paragraph.
        pub content: Option<DocumentContent>,
    }
}

/// Creates a document.
pub async fn create(
    caller: Caller<WriteFiles>,
    once: Once,
    Body(CreateDocument { name, parent_id, content }): Body<CreateDocument>,
    context: Context,
    State(records): State<FileRecords>,
) -> Result<Answer<FileAnswer>, Error> {
    let owner = WorkspaceId::of(&caller)?;
    let actor = caller.actor.as_ref().ok_or_else(|| Failure::fault("a token of this surface without an actor"))?;
    let created_by = serde_json::to_string(actor)?;
    // Random ids are made here, because the transaction may run again.
    let mut content = content.unwrap_or_else(|| DocumentContent::smallest(&name));
    content.give_ids(&context.random);
    let content = versions::CanonicalContent::of(&content)?;
    let at = context.clock.now();
    let link = context.clone();
    context
        .once(once, move |conn| {
            if let Some(parent) = parent_id {
                check_parent(files::store::kind_and_state(conn, owner, parent)?)?;
            }
            let Some(change_sequence) = workspaces::reserve(conn, owner, content.bytes())? else {
                return Err(quota_exceeded(workspaces::find(conn, owner)?, content.bytes()));
            };
            let new = NewFile { parent_id, name: &name, kind: FileType::Document, change_sequence, at };
            let file = files::store::insert(conn, owner, new)?;
            let version = versions::insert(conn, file.id, versions::FIRST, &content, &created_by, at)?;
            let file = records.record(File { current_version_id: Some(version), ..file });
            let location = link.href(&format!("/v1/documents/{}", file.id));
            let etag = file.etag;
            Ok(Answer::ok(&FileAnswer { file })?.etag(etag).header("location", location))
        })
        .await
}

/// 404 if there is no parent, 409 unless it is a folder that is not in the trash.
fn check_parent(parent: Option<(FileType, FileState)>) -> Result<(), Refusal> {
    match parent {
        Some((FileType::Folder, FileState::Active)) => Ok(()),
        Some((FileType::Folder, FileState::Trashed)) => Err(codes::PARENT_TRASHED.refusal()),
        Some(_) => Err(codes::PARENT_NOT_FOLDER.refusal()),
        None => Err(Refusal {
            next: codes::PARENT_NOT_FOLDER.next.action(false),
            ..code::not_found().because("There is no such parent folder.")
        }),
    }
}

/// 413: so many bytes do not fit.
fn quota_exceeded(workspace: Option<Workspace>, bytes: i64) -> Error {
    let Some(Workspace { storage_quota_bytes, storage_used_bytes, .. }) = workspace else {
        return Failure::fault("a transaction names a workspace that was never recorded").into();
    };
    let message = format!(
        "The workspace's storage quota is {storage_quota_bytes} bytes, {storage_used_bytes} of them are used, and this needs \
         {bytes} more."
    );
    codes::QUOTA_EXCEEDED.because(message).into()
}
