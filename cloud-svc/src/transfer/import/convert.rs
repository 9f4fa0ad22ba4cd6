//! `POST /v1/files/{file_id}/convert`: make a native file of an uploaded one.

use futures_util::TryStreamExt as _;
use serde::Serialize;
use shared_model::{Error, Failure, Name, Problem, Refusal, code};
use shared_runtime::{Answer, Body, Conn, Context, MustBeNew, Path};
use utoipa::ToSchema;

use super::{
    lost::ImportWarning,
    source::{self, Read, SOURCE_BYTES, invalid},
};
use crate::{
    base::{heavy::heavy, ids::FileId, links::FileLinks, owner::Owner, parent::Parent, permissions::WriteFiles},
    files::{
        add::{self, Addition},
        chunk_lists,
        file::{File, FileRecord, FileState},
        precondition, store, version_store,
    },
    workspace::command::Command,
};

shared_model::json_object! {
    /// Where the native file goes.
    #[derive(Debug)]
    pub struct ConvertFile {
        /// The name of the native file; absent: the name of the uploaded one, without its suffix.
        pub name: Option<Name>,
        /// The folder of the native file; absent: the folder of the uploaded one.
        pub parent_id: Option<Parent>,
    }
    example = {"name": "Budget"};
}

/// A new native file, and what it lost.
#[derive(Serialize, ToSchema)]
pub struct ImportAnswer {
    pub file: FileRecord,
    pub import: ImportReport,
}

/// What an import changed or left out.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ImportReport {
    /// Empty if the native file has everything.
    #[schema(max_items = 200)]
    pub warnings: Vec<ImportWarning>,
}

struct Converted {
    read: Read,
    name: Name,
}

pub async fn convert(
    command: Command<WriteFiles>,
    Path((id,)): Path<(FileId,)>,
    MustBeNew(must_be_new): MustBeNew,
    Body(ConvertFile { name, parent_id }): Body<ConvertFile>,
) -> Result<Answer<ImportAnswer>, Error> {
    // A refusal waits for the transaction: a retry gets its first answer, whatever became of the uploaded file.
    let converted = match converted(&command.context, command.by.owner(), id, name).await {
        Err(Error::Refused(refusal)) => Err(refusal),
        Err(failed) => return Err(failed),
        Ok(converted) => Ok(converted),
    };
    command
        .run(move |conn, by| {
            let Converted { read: Read { kind, content, warnings }, name } = match &converted {
                Ok(converted) => converted,
                Err(refusal) => return Err(Error::Refused(refusal.clone())),
            };
            // It may have been trashed since its bytes were read.
            let source = store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
            precondition::check_state(&source, FileState::Active, &by.links)?;
            let parent_id = parent_id.map_or(source.parent_id, Parent::folder);
            let addition = Addition { parent_id, name, kind: *kind, content: Some(content.into()), must_be_new };
            let file = add::add(conn, by, addition)?;
            Ok(answer(&by.links, file, warnings)?)
        })
        .await
}

pub fn answer(links: &FileLinks, file: File, warnings: &[ImportWarning]) -> Result<Answer<ImportAnswer>, Failure> {
    let href = links.content_href(file.id, file.kind);
    let file = links.record(file);
    let etag = file.etag;
    let import = ImportReport { warnings: warnings.to_vec() };
    Ok(Answer::ok(&ImportAnswer { file, import })?.etag(etag).header("location", href))
}

async fn converted(context: &Context, owner: Owner, id: FileId, wanted: Option<Name>) -> Result<Converted, Error> {
    let (file, bytes) = uploaded(context, owner, id).await?;
    let (format, stem) = source::format(&file.name).map_err(not_convertible)?;
    let name = match wanted {
        Some(name) => name,
        None => Name::parse(stem).map_err(|rule| invalid(format!("as a name {rule}")))?,
    };
    let (random, named) = (context.random.clone(), name.clone());
    let read = heavy(move || source::read(format, &named, &bytes, &random)).await??;
    Ok(Converted { read, name })
}

/// The file and the bytes of its current version.
async fn uploaded(context: &Context, owner: Owner, id: FileId) -> Result<(File, Vec<u8>), Error> {
    let find = move |conn: &mut Conn| {
        let file = store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
        let stored = match file.current_version_id {
            Some(version) => version_store::find(conn, file.id, version)?,
            None => None,
        };
        let manifest = stored.and_then(|(_, stored)| stored.manifest_id);
        let manifest = manifest.ok_or_else(|| not_convertible("must be an uploaded file".to_owned()))?;
        let manifest = chunk_lists::store::find(conn, manifest)?;
        let manifest = manifest.ok_or_else(|| Failure::fault("the manifest of a version has no row"))?;
        Ok((file, manifest.bytes.unsigned_abs(), chunk_lists::store::pieces(conn, &manifest)?))
    };
    let (file, size, pieces) = context.read(find).await?;
    if size > SOURCE_BYTES as u64 {
        return Err(not_convertible(format!("must be at most {SOURCE_BYTES} bytes, has {size}")).into());
    }
    let chunks = context.blobs.read_pieces(pieces, 0..size).await?;
    let mut chunks = chunks.ok_or_else(|| Failure::fault("a blob that a row names is not in the store"))?;
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.try_next().await? {
        bytes.extend_from_slice(&chunk);
    }
    Ok((file, bytes))
}

fn not_convertible(rule: String) -> Refusal {
    Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: "file_id".to_owned(), rule }])
}
