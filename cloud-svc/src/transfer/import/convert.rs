//! `POST /v1/files/{file_id}/convert`: make a native file of an uploaded one.

use std::collections::BTreeSet;

use serde::Serialize;
use shared_model::{Error, Failure, Name, NextAction, Problem, Refusal, code};
use shared_runtime::{Answer, Body, Context, MustBeNew, Path};
use utoipa::ToSchema;

use super::source::{self, Read};
use crate::{
    base::{heavy::heavy, ids::FileId, links::FileLinks, owner::Owner, parent::Parent, permissions::WriteFiles},
    files::{
        add::{self, Addition},
        file::{File, FileRecord, FileState},
        precondition, store,
        uploaded::{not_readable, uploaded},
    },
    workspace::command::Command,
};
use cloud_content::lost::ImportWarning;

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
    /// Always true: warnings quote the source.
    pub content_is_untrusted: bool,
}

/// What an import changed or left out.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ImportReport {
    /// Empty if the native file has everything.
    #[schema(max_items = 200)]
    pub warnings: Vec<ImportWarning>,
}

const FILE_ID: &str = "file_id";

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
    Ok(Answer::ok(&ImportAnswer { file, import, content_is_untrusted: true })?.etag(etag).header("location", href))
}

async fn converted(context: &Context, owner: Owner, id: FileId, wanted: Option<Name>) -> Result<Converted, Error> {
    let (file, bytes) = uploaded(context, owner, id, FILE_ID).await?;
    let (format, stem) = source::format(&file.name).map_err(|rule| not_readable(FILE_ID, rule))?;
    let name = match wanted {
        Some(name) => name,
        None => Name::parse(stem).map_err(|rule| {
            not_readable("/name", format!("is needed: without its suffix, the name of the file {rule}"))
        })?,
    };
    let (random, named) = (context.random.clone(), name.clone());
    let read = heavy(move || source::read(format, &named, &bytes, &random)).await?.map_err(of_upload)?;
    // The person who converts a file may not have seen its links.
    let content = read.content.linking_to(BTreeSet::new());
    Ok(Converted { read: Read { content, ..read }, name })
}

/// A refusal of the file's bytes: nothing in the body of the request is wrong.
fn of_upload(error: Error) -> Error {
    let Error::Refused(refusal) = error else { return error };
    let Some(NextAction::CorrectRequest { problems }) = refusal.next_action(false) else {
        return Error::Refused(refusal);
    };
    let of_file = |problem: Problem| {
        let rule = problem.to_string();
        // A rule that begins with its place is about a part of the file, not about the file.
        let rule = if rule.starts_with("must ") { rule } else { format!("cannot be converted: {rule}") };
        Problem { at: FILE_ID.to_owned(), rule }
    };
    Refusal::problems(refusal.code, problems.into_iter().map(of_file).collect()).into()
}
