//! `POST /v1/documents`: create a private native document with an immutable initial version.

use shared_model::{Error, Failure, Name, Timestamp};
use shared_runtime::{Answer, Body, Caller, Conn, Context, Once, State, base::random::Random, identity::Actor};

use super::content::DocumentContent;
use crate::{
    Cloud,
    files::{
        File, FileAnswer, FileRecord, FileType,
        store::{self, NewFile},
    },
    ids::{FileId, WorkspaceId},
    permissions::WriteFiles,
};

shared_model::json_object! {
    /// What is sent.
    #[derive(Clone, Debug)]
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
    Body(body): Body<CreateDocument>,
    context: Context,
    State(cloud): State<Cloud>,
) -> Result<Answer<FileAnswer>, Error> {
    let owner = WorkspaceId::of(&caller)?;
    let actor = caller.actor.as_ref().ok_or_else(|| Failure::fault("a token of this surface without an actor"))?;
    let new = NewDocument::of(body, actor, &context.random, context.clock.now())?;
    let link = context.clone();
    context
        .once(once, move |conn| {
            let file = FileRecord::of(transaction(conn, owner, &new)?, &cloud);
            let (id, etag) = (file.id, file.etag);
            Ok(Answer::ok(&FileAnswer { file })?
                .etag(etag)
                .header("location", link.href(&format!("/v1/documents/{id}"))))
        })
        .await
}

/// A document that is about to be: everything random is drawn, so that the transaction may run again.
#[derive(Clone, Debug)]
pub struct NewDocument(NewFile);

impl NewDocument {
    /// What `actor` asked for at the moment `at`; block ids that are absent are drawn.
    pub fn of(body: CreateDocument, actor: &Actor, random: &Random, at: Timestamp) -> Result<Self, Failure> {
        let CreateDocument { name, parent_id, content } = body;
        let content = content.unwrap_or_else(DocumentContent::empty).into_canonical(random)?;
        let created_by = serde_json::to_string(actor)?;
        Ok(Self(NewFile { parent_id, name, kind: FileType::Document, content, created_by, at }))
    }
}

/// Creates the document in the owner's workspace: parent 404 and 409, quota 413.
pub fn transaction(conn: &mut Conn, owner: WorkspaceId, new: &NewDocument) -> Result<File, Error> {
    store::create(conn, owner, &new.0)
}
