//! `/w/uploads`: what the script of the pages needs to upload a file in parts. Each is an operation of the API.

use serde::Deserialize;
use serde_json::{Value, json};
use shared_model::{Error, code};
use shared_runtime::pages::{FileField, PageResponse, Pages, Redirect, SignedIn};

use super::{phrases::file_href, typed::typed};
use crate::{
    base::{ids::UploadId, limits::UPLOAD_CHUNK_BYTES},
    files::file::FileRecord,
};

const CHUNK: usize = UPLOAD_CHUNK_BYTES as usize;
/// Several chunks at once, because pages have a limit of requests in a minute.
const PART: FileField = FileField { name: "part", max_bytes: 4 * CHUNK, piece_bytes: CHUNK };

pub fn declare(pages: &mut Pages) {
    pages.post("/w/uploads", "begin_upload_page", begin).takes(&["in", "name", "mime", "size", "sha256"]);
    pages.get("/w/uploads/{upload_id}", "upload_state_page", state);
    pages.post("/w/uploads/{upload_id}", "upload_part_page", part).takes(&["index"]).takes_file(PART);
    pages.post("/w/uploads/{upload_id}/complete", "complete_upload_page", complete);
}

#[derive(Deserialize)]
struct Answered {
    upload: Upload,
}

#[derive(Deserialize)]
struct Upload {
    id: UploadId,
    next_chunk_index: i64,
}

#[derive(Deserialize)]
struct Completed {
    /// Null if it was purged since.
    file: Option<FileRecord>,
}

async fn begin(visit: SignedIn) -> Result<PageResponse, Error> {
    let size = typed(&visit, "size").parse::<i64>().map_err(|_| code::invalid_parameter("size", "must be a number"))?;
    // Browsers send no type for what they do not know.
    let mime = visit.value("mime").filter(|mime| mime.contains('/')).unwrap_or("application/octet-stream");
    let mut body =
        json!({"name": typed(&visit, "name"), "mime": mime, "size": size, "sha256": typed(&visit, "sha256")});
    if let Some(folder) = visit.value("in").filter(|folder| !folder.is_empty()) {
        body["parent_id"] = json!(folder);
    }
    // With the key of the script, which keeps it until the end: after a reload it is the same upload.
    let Answered { upload } = visit.operation("create_upload").once().json(body).answer().await?;
    Ok(PageResponse::json(&json!({"upload": upload.id})))
}

async fn state(visit: SignedIn) -> Result<PageResponse, Error> {
    let (id,): (UploadId,) = visit.path()?;
    let Answered { upload } = visit.operation("get_upload").path(&[&id.to_string()]).answer().await?;
    Ok(PageResponse::json(&next(upload.next_chunk_index)))
}

async fn part(visit: SignedIn) -> Result<PageResponse, Error> {
    let (id,): (UploadId,) = visit.path()?;
    let id = id.to_string();
    let first = typed(&visit, "index").parse::<i64>().ok().filter(|index| (0..=1_000_000).contains(index));
    let first = first.ok_or_else(|| code::invalid_parameter("index", "must be the number of a chunk"))?;
    // The browser sends a name with each part, because a part without one is not a file.
    let file = visit.file().ok_or_else(|| code::invalid_parameter("part", "must be some of the file"))?;
    let mut index = first;
    // One after the other, because chunks are counted in order.
    for piece in &file.pieces {
        visit.operation("put_chunk").path(&[&id, &index.to_string()]).bytes(piece.clone()).text().await?;
        index += 1;
    }
    Ok(PageResponse::json(&next(index)))
}

async fn complete(visit: SignedIn) -> Result<Redirect, Error> {
    let (id,): (UploadId,) = visit.path()?;
    let call = visit.operation("complete_upload").path(&[&id.to_string()]).once().json(json!({}));
    let Completed { file } = call.answer().await?;
    Ok(Redirect::to(file.map_or("/w".to_owned(), |file| file_href(file.id))))
}

fn next(index: i64) -> Value {
    json!({"next": index})
}
