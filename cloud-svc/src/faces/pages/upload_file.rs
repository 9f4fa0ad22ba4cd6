//! `POST /w/upload`: uploads a file in one form, with the operations of an upload in chunks.

use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use shared_model::{Error, Problem, Refusal, code};
use shared_runtime::pages::{FileField, PageResponse, Redirect, SentFile, SignedIn};

use super::{new_file, phrases::file_href, refused};
use crate::{
    base::{codes, heavy::heavy, ids::UploadId, limits::UPLOAD_CHUNK_BYTES},
    files::file::FileRecord,
};

const MAX_BYTES: usize = 20 * 1024 * 1024;

pub const FIELD: FileField = FileField { name: "file", max_bytes: MAX_BYTES, piece_bytes: UPLOAD_CHUNK_BYTES as usize };

#[derive(Deserialize)]
struct Begun {
    upload: BegunUpload,
}

#[derive(Deserialize)]
struct BegunUpload {
    id: UploadId,
}

#[derive(Deserialize)]
struct Completed {
    /// Null if it was purged since.
    file: Option<FileRecord>,
}

pub async fn upload(visit: SignedIn) -> Result<PageResponse, Error> {
    match carry_out(&visit).await {
        Ok(file) => Ok(Redirect::to(file.map_or("/w".to_owned(), |file| file_href(file.id))).into()),
        Err(Error::Refused(refusal)) if refused::is_shown(&refusal) => {
            new_file::page(&visit, Some(&refusal)).await.map(PageResponse::from)
        }
        Err(error) => Err(error),
    }
}

async fn carry_out(visit: &SignedIn) -> Result<Option<FileRecord>, Error> {
    let file = visit.file().ok_or_else(nothing_chosen)?;
    let begun: Begun = visit.operation("create_upload").once().json(begin(visit, file).await?).answer().await?;
    let id = begun.upload.id.to_string();
    // One after the other, because chunks are counted in order.
    for (index, piece) in file.pieces.iter().enumerate() {
        let put = visit.operation("put_chunk").path(&[&id, &index.to_string()]).bytes(piece.clone());
        match put.text().await {
            Ok(_) => {}
            // The form was sent twice, and the first one has completed the upload.
            Err(Error::Refused(refusal)) if *refusal.code == codes::UPLOAD_STATE => break,
            Err(error) => return Err(error),
        }
    }
    let complete = visit.operation("complete_upload").path(&[&id]).once().json(json!({}));
    Ok(complete.answer::<Completed>().await?.file)
}

async fn begin(visit: &SignedIn, file: &SentFile) -> Result<Value, Error> {
    let pieces = file.pieces.clone();
    // Not on this thread, which answers other people meanwhile.
    let sha256 = heavy(move || {
        let mut hash = Sha256::new();
        pieces.iter().for_each(|piece| hash.update(piece));
        hex::encode(hash.finalize())
    });
    // Browsers send no type, or one of their own, for what they do not know.
    let mime = if file.media_type.contains('/') { &file.media_type } else { "application/octet-stream" };
    let mut body = json!({"name": file.name, "mime": mime, "size": file.bytes, "sha256": sha256.await?});
    if let Some(folder) = visit.value("in").filter(|folder| !folder.is_empty()) {
        body["parent_id"] = json!(folder);
    }
    Ok(body)
}

fn nothing_chosen() -> Refusal {
    let problem = Problem { at: "The file".to_owned(), rule: "must be chosen first".to_owned() };
    Refusal::problems(&code::INVALID_FIELD, vec![problem])
}
