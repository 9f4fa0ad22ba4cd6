//! `POST /v1/uploads/{upload_id}/complete`: make a file, or a version of one, from an upload.
// No bytes are copied: each chunk has extended the hash, and the file refers to the manifest of the chunks. Only a short
// text is read, for the search.

use serde::Serialize;
use shared_model::{Error, Failure, Name, Problem, Refusal, Timestamp, code, refusal::NextStep};
use shared_runtime::{Answer, Body, Conn, Context, OptionalIfMatch, Path, state::blobs::HashState};
use utoipa::ToSchema;

use super::{
    begin::check_target,
    searchable_text, store,
    upload::{Upload, UploadRecord},
};
use crate::{
    base::{
        author::{Author, Via},
        codes,
        ids::{FileId, UploadId},
        parent::Parent,
        permissions::WriteFiles,
    },
    files::{
        self,
        add::{self, Addition},
        chunk_lists::{self, chunk_list::ChunkList, upload_state::UploadState},
        file::{File, FileRecord, FileState},
        precondition,
        version_content::VersionContent,
        versions::{
            self,
            add::{Next, Origin},
        },
    },
    workspace::{
        self,
        changes::ChangeType,
        command::{ChangeContext, Command},
    },
};

shared_model::json_object! {
    /// Where a new file goes.
    #[derive(Debug)]
    pub struct CompleteUpload {
        /// Replaces the folder that was named at the beginning; absent for a version.
        pub parent_id: Option<Parent>,
    }
    example = {};
}

/// A completed upload and its file.
#[derive(Serialize, ToSchema)]
pub struct CompleteAnswer {
    pub upload: UploadRecord,
    /// The new or changed file; null if it was purged since.
    #[schema(required)]
    pub file: Option<FileRecord>,
}

pub async fn complete(
    command: Command<WriteFiles>,
    Path((id,)): Path<(UploadId,)>,
    if_match: OptionalIfMatch,
    Body(CompleteUpload { parent_id }): Body<CompleteUpload>,
) -> Result<Answer<CompleteAnswer>, Error> {
    end_if_damaged(&command, id).await?;
    let text = searchable_text::of_upload(&command.context, &command.by.author, id, command.by.at).await?;
    command
        .run(move |conn, by| {
            let by = &ChangeContext { author: Author { via: Via::Upload, ..by.author.clone() }, ..by.clone() };
            let upload = store::find(conn, &by.author, id, by.at)?.ok_or_else(code::not_found)?;
            // A repeated request without the idempotency key gets the same file and not another one.
            if let (UploadState::Completed, Some(file)) = (upload.state, upload.file_id) {
                let file = files::store::find(conn, by.owner(), file)?;
                return answer(by, upload, file);
            }
            check_whole(conn, &upload)?;
            if upload.state_at(by.at) != UploadState::Pending || !upload.is_whole() {
                return Err(upload.wrong_state(&by.links, by.at).into());
            }
            let manifest = chunk_lists::store::find(conn, id)?;
            let manifest = manifest.ok_or_else(|| Failure::fault("a pending upload has no manifest"))?;
            // The reserved bytes now count as used bytes, so they are given back first.
            workspace::store::unreserve(conn, by.workspace(), upload.size)?;
            workspace::agents::count_bytes(conn, &by.author, -upload.size, by.at)?;
            if let Some(text) = &text {
                chunk_lists::store::set_text(conn, id, text)?;
            }
            let file = match upload.target.id {
                Some(_) if parent_id.is_some() => {
                    let rule = "must be absent: a version has the folder of its file".to_owned();
                    let problem = Problem { at: "/parent_id".to_owned(), rule };
                    return Err(Refusal::problems(&code::INVALID_FIELD, vec![problem]).into());
                }
                Some(target) => version(conn, by, &upload, target, if_match, &manifest)?,
                None => {
                    if_match.must_be_absent()?;
                    new_file(conn, by, &upload, parent_id, &manifest)?
                }
            };
            let version = file.current_version_id.ok_or_else(|| Failure::fault("a completed upload has no version"))?;
            // The manifest now belongs to a version. The sweep removes objects of chunks that lost a race.
            let upload = store::set_completed(conn, upload, file.id, version)?;
            chunk_lists::store::sweep_later(conn, id, by.at)?;
            answer(by, upload, Some(file))
        })
        .await
}

fn answer(by: &ChangeContext, upload: Upload, file: Option<File>) -> Result<Answer<CompleteAnswer>, Error> {
    let file = file.map(|file| by.links.record(file));
    let etag = file.as_ref().map(|file| file.etag);
    let upload = UploadRecord::new(upload, &by.links, by.at);
    let answer = Answer::ok(&CompleteAnswer { upload, file })?;
    Ok(match etag {
        Some(etag) => answer.etag(etag),
        None => answer,
    })
}

fn new_file(
    conn: &mut Conn,
    by: &ChangeContext,
    upload: &Upload,
    parent_id: Option<Parent>,
    manifest: &ChunkList,
) -> Result<File, Error> {
    let name = Name::parse(&upload.name).map_err(Failure::fault)?;
    let addition = Addition {
        parent_id: parent_id.map_or(upload.parent_id, Parent::folder),
        name: &name,
        kind: manifest.file_type(),
        content: Some(VersionContent::Uploaded(manifest)),
        must_be_new: false,
    };
    add::add_as(conn, by, addition, ChangeType::UploadCompleted)
}

pub const FILE_IS_GONE: NextStep = NextStep::CorrectOne(
    "upload_id",
    "must be an upload for a file that you can see; cancel this one, or begin another",
);

/// The next version of the file.
fn version(
    conn: &mut Conn,
    by: &ChangeContext,
    upload: &Upload,
    target: FileId,
    if_match: OptionalIfMatch,
    manifest: &ChunkList,
) -> Result<File, Error> {
    let file = match if_match.given() {
        Some(if_match) => precondition::load_for_update(conn, by, target, FileState::Active, if_match),
        None => as_seen(conn, by, upload, target),
    };
    // The upload itself is there, as the URL says.
    let message = "The file of the upload is gone. Cancel the upload, or begin another.";
    let file = file.map_err(|error| precondition::not_found_at(error, FILE_IS_GONE, message))?;
    check_target(conn, by, &file)?;
    let (content, origin) = (VersionContent::Uploaded(manifest), Origin::Upload);
    let next = Next { content, gone: &[], origin, authorship: None, edited_by: None, freed_bytes: 0 };
    versions::add::add(conn, by, file, next)
}

/// The file, if it is as the uploader saw it at the beginning.
fn as_seen(conn: &mut Conn, by: &ChangeContext, upload: &Upload, target: FileId) -> Result<File, Error> {
    let file = files::store::find(conn, by.owner(), target)?.ok_or_else(code::not_found)?;
    precondition::check_state(&file, FileState::Active, &by.links)?;
    let is_as_seen =
        upload.target.version == file.current_version_id && upload.target.meta_revision == Some(file.meta_revision);
    if is_as_seen {
        return Ok(file);
    }
    let message = "The file has changed since the upload began; complete it with If-Match to make the next version \
                   anyway.";
    Err(code::stale(by.links.href(file.id), by.links.etag(&file)).because(message).into())
}

/// 422 if all bytes were received and do not match the SHA-256.
fn check_whole(conn: &mut Conn, upload: &Upload) -> Result<(), Error> {
    if !upload.is_whole() {
        return Ok(());
    }
    let hash = match upload.next_chunk_index - 1 {
        -1 => HashState::of_nothing(),
        last => match chunk_lists::store::hash_state(conn, upload.id, last)? {
            Some(state) => HashState::stored(&state)?,
            // It was cancelled so long ago that its chunks are deleted.
            None => return Ok(()),
        },
    };
    let received = hash.digest_hex();
    if received == upload.sha256 {
        return Ok(());
    }
    let message = format!(
        "The received bytes have the SHA-256 {received}, not {}; the upload is cancelled. Begin another one.",
        upload.sha256
    );
    Err(codes::DIGEST_MISMATCH.because(message).into())
}

// Cancels an upload with a wrong SHA-256 in a transaction of its own: the refusal rolls back the transaction of the
// command.
async fn end_if_damaged(command: &Command<WriteFiles>, id: UploadId) -> Result<(), Error> {
    let (context, by): (&Context, _) = (&command.context, command.by.clone());
    let now: Timestamp = by.at;
    let author = by.author.clone();
    let is_damaged = move |conn: &mut Conn| match store::find(conn, &author, id, now)? {
        Some(upload) if upload.state_at(now) == UploadState::Pending => match check_whole(conn, &upload) {
            Err(Error::Refused(_)) => Ok(Some(upload)),
            Err(failed) => Err(failed),
            Ok(()) => Ok(None),
        },
        _ => Ok(None),
    };
    if context.read(is_damaged.clone()).await?.is_none() {
        return Ok(());
    }
    let cancel = move |conn: &mut Conn| {
        if let Some(upload) = is_damaged(conn)? {
            store::cancel(conn, by.workspace(), upload, now)?;
        }
        Ok(())
    };
    context.db.write_in(command.by.workspace().lane(), cancel).await
}
