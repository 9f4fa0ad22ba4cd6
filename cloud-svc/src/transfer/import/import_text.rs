//! `POST /v1/imports`: make one file of a text.

use shared_model::{Error, Name, NextAction, Problem, Refusal, rule::Text};
use shared_runtime::{Answer, Body, MustBeNew};

use super::{
    convert::{ImportAnswer, answer},
    source::{self, Format, Read},
};
use crate::{
    base::{heavy::heavy, limits::REQUEST_BYTES, parent::Parent, permissions::WriteFiles},
    files::add::{self, Addition},
    workspace::command::Command,
};

shared_model::json_object! {
    /// A text that becomes a file.
    #[derive(Debug)]
    pub struct ImportText {
        pub name: Name,
        /// The folder of the file; absent: the top.
        pub parent_id: Option<Parent>,
        pub format: TextFormat,
        pub text: String as Text<REQUEST_BYTES>,
    }
    example = {"name": "Minutes", "format": "markdown", "text": "# Minutes\n\n- Agreed: *Thursday*\n"};
}

shared_model::text_enum! {
    /// What the text is: `markdown` becomes a document, `csv` a spreadsheet, `text` a note.
    pub enum TextFormat {
        Markdown = "markdown",
        Csv = "csv",
        Text = "text",
    }
}

pub async fn import_text(
    command: Command<WriteFiles>,
    MustBeNew(must_be_new): MustBeNew,
    Body(ImportText { name, parent_id, format, text }): Body<ImportText>,
) -> Result<Answer<ImportAnswer>, Error> {
    let format = match format {
        TextFormat::Markdown => Format::Markdown,
        TextFormat::Csv => Format::Csv,
        TextFormat::Text => Format::Text,
    };
    let (random, named) = (command.context.random.clone(), name.clone());
    let Read { kind, content, warnings } =
        heavy(move || source::read(format, &named, text.as_bytes(), &random)).await?.map_err(at_text)?;
    command
        .run(move |conn, by| {
            let (parent_id, content) = (parent_id.and_then(Parent::folder), Some((&content).into()));
            let file = add::add(conn, by, Addition { parent_id, name: &name, kind, content, must_be_new })?;
            Ok(answer(&by.links, file, &warnings)?)
        })
        .await
}

/// The problems are of what the text became: the rule names their places in it.
pub fn at_text(error: Error) -> Error {
    let Error::Refused(mut refusal) = error else { return error };
    let Some(NextAction::CorrectRequest { problems }) = refusal.next.take() else { return Error::Refused(refusal) };
    let at_text = |Problem { at, rule }: Problem| {
        let rule = if at.is_empty() { rule } else { format!("{at} {rule}") };
        Problem { at: "/text".to_owned(), rule }
    };
    Refusal::problems(refusal.code, problems.into_iter().map(at_text).collect()).into()
}
