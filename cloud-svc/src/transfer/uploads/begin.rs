//! `POST /v1/uploads`: begin the upload of a file, or of a version of a file.

use std::time::Duration;

use shared_model::{
    Error, JsonReader, Name, Problem, Refusal, code,
    rule::{Integer, MINOR_MAX},
};
use shared_runtime::{Answer, Body, Conn, OptionalIfMatch};

use super::{
    claim::MediaType,
    store,
    upload::{Target, Upload, UploadAnswer},
};
use crate::{
    base::{
        codes,
        ids::{FileId, UploadId},
        limits::{UPLOAD_BYTES, UPLOAD_SECONDS},
        parent::Parent,
        permissions::WriteFiles,
        sha256_hex::Sha256Hex,
    },
    files::{
        chunk_lists::{
            self,
            chunk_list::{ChunkList, UNKNOWN},
            upload_state::UploadState,
        },
        file::File,
        precondition,
        tree::{self, Put},
    },
    workspace::{
        self,
        command::{ChangeContext, Command},
    },
};
use cloud_content::file_type::FileType;

// Expired uploads are cancelled first, because their reservations might leave no room for this one.
const EXPIRED_AT_ONCE: i64 = 100;

shared_model::json_object! {
    /// An upload to begin.
    #[derive(Debug)]
    pub struct BeginUpload {
        /// The name of a new file; not used for a version.
        pub name: Name,
        /// The client's own media type, which is not checked.
        pub mime: MediaType,
        /// Size of the file.
        pub size: i64 as Integer<0, MINOR_MAX>,
        /// SHA-256 of the file, compared when the upload is completed.
        pub sha256: Sha256Hex,
        /// The folder of a new file; absent: the top.
        pub parent_id: Option<Parent>,
        /// The uploaded file that gets a new version; needs `If-Match`.
        pub file_id: Option<FileId>,
    }
    example = {
        "name": "Drawings.pdf", "mime": "application/pdf", "size": 2_621_440,
        "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    };
    check = one_target;
}

fn one_target(reader: &JsonReader<'_>, body: Option<&BeginUpload>) {
    if body.is_some_and(|body| body.parent_id.is_some() && body.file_id.is_some()) {
        reader.note("/file_id", "must not come with parent_id: a version has the folder of its file");
    }
}

pub async fn begin(
    command: Command<WriteFiles>,
    if_match: OptionalIfMatch,
    Body(BeginUpload { name, mime, size, sha256, parent_id, file_id }): Body<BeginUpload>,
) -> Result<Answer<UploadAnswer>, Error> {
    check_size(size)?;
    let parent_id = parent_id.and_then(Parent::folder);
    // Random ids are made here, because the transaction may run again.
    let id = UploadId::from_bytes(command.context.random.bytes16());
    command
        .run(move |conn, by| {
            let target = match file_id {
                Some(file) => {
                    let file = precondition::load_target_for_update(conn, by, file, if_match.required()?)?;
                    check_target(conn, by, &file)?;
                    let (version, meta_revision) = (file.current_version_id, Some(file.meta_revision));
                    Target { id: Some(file.id), version, meta_revision }
                }
                None => {
                    if_match.must_be_absent()?;
                    tree::check_place(conn, by.owner(), parent_id, Put::New(FileType::UploadedFile))?;
                    Target { id: None, version: None, meta_revision: None }
                }
            };
            store::expire(conn, Some(by.workspace()), by.at, EXPIRED_AT_ONCE)?;
            workspace::store::reserve(conn, by.workspace(), size)?;
            workspace::agents::count_bytes(conn, &by.author, size, by.at)?;
            let sha256 = sha256.as_str().to_owned();
            // The first chunk will show the media type.
            let manifest = ChunkList { id, bytes: size, sha256: sha256.clone(), media_type: UNKNOWN.to_owned() };
            chunk_lists::store::insert(conn, &manifest)?;
            let upload = Upload {
                id,
                name: name.as_str().to_owned(),
                mime: mime.as_str().to_owned(),
                size,
                sha256,
                parent_id,
                target,
                state: UploadState::Pending,
                next_chunk_index: 0,
                received_bytes: 0,
                file_id: None,
                version_id: None,
                expires_at: by.at.plus(Duration::from_secs(UPLOAD_SECONDS)),
            };
            store::insert(conn, &by.author, &upload, by.at)?;
            let href = by.links.url(&format!("/v1/uploads/{id}"));
            Ok(UploadAnswer::ok(upload, &by.links, by.at)?.header("location", href))
        })
        .await
}

/// 413 for a file that is too large.
pub fn check_size(size: i64) -> Result<(), Refusal> {
    if size <= UPLOAD_BYTES {
        return Ok(());
    }
    let message = format!("An uploaded file has at most {UPLOAD_BYTES} bytes (upload_bytes), not {size}.");
    Err(codes::UPLOAD_TOO_LARGE.because(message))
}

/// 422 unless the file was uploaded; 403 if this caller may not change it directly.
pub fn check_target(conn: &mut Conn, by: &ChangeContext, file: &File) -> Result<(), Error> {
    if !matches!(file.kind, FileType::Pdf | FileType::UploadedFile) {
        let rule = format!("must be an uploaded file; it has the type {}", file.kind.as_str());
        return Err(Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: "/file_id".to_owned(), rule }]).into());
    }
    // An upload has no warnings, so only the policy `review` asks a person.
    by.check_direct(conn, |_| Ok(false), "Upload it as a new file, and ask a person to replace the file.")
}
