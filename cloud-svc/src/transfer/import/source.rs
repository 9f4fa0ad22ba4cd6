//! A file to import: its type, from its name, and its content.

use shared_model::{Error, Name, Problem, Random, Refusal, code, json, json_reader};

use crate::base::limits::RESPONSE_BYTES;
use cloud_content::{
    canonical::Canonical,
    content::{Content, Forbidden},
    documents::{
        content::DocumentContent,
        markdown::{self, plainer::Plainer},
    },
    file_type::FileType,
    kinds,
    lost::{ImportWarning, Losses, Lost},
    notes::content::NoteContent,
    of_kind,
    spreadsheets::import::{
        cells, csv,
        xlsx::{self, Imported},
    },
};

// No content may be longer when it is read.
pub const SOURCE_BYTES: usize = RESPONSE_BYTES;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Stored content of this type.
    Json(FileType),
    Markdown,
    Csv,
    Xlsx,
    Text,
}

/// The ends of names beside those of stored content, and what they mean; longer ones come before those that they end in.
const ENDS: &[(&str, Format)] = &[
    (".markdown", Format::Markdown),
    (".md", Format::Markdown),
    (".csv", Format::Csv),
    (".xlsx", Format::Xlsx),
    (".txt", Format::Text),
];

/// The format of a file that its name tells, and the name without the suffix.
pub fn format(name: &str) -> Result<(Format, &str), String> {
    let stored = kinds::ALL.iter().filter_map(|kind| Some((*kind.file_ends.last()?, Format::Json(kind.file_type))));
    let ends: Vec<_> = stored.chain(ENDS.iter().copied()).collect();
    for (end, format) in &ends {
        let start = name.len().saturating_sub(end.len());
        if name.get(start..).is_some_and(|found| found.eq_ignore_ascii_case(end)) {
            return Ok((*format, &name[..start]));
        }
    }
    let ends: Vec<_> = ends.iter().map(|(end, _)| *end).collect();
    Err(format!("must be a file whose name ends with one of {}", ends.join(", ")))
}

/// The content of a file, and what it lost.
#[derive(Debug)]
pub struct Read {
    pub kind: FileType,
    pub content: Canonical,
    pub warnings: Vec<ImportWarning>,
}

pub fn read(format: Format, name: &Name, bytes: &[u8], random: &Random) -> Result<Read, Error> {
    let whole = |kind, content| Read { kind, content, warnings: Vec::new() };
    match format {
        Format::Json(kind) => {
            let content = of_kind!(kind, C => {
                let value = json::parse(bytes).map_err(|error| invalid(error.0))?;
                finish::<C>(json_reader::read(&value).map_err(refused)?, random)?
            });
            Ok(whole(kind, content.ok_or_else(|| invalid("must be of a type that has content".to_owned()))?))
        }
        Format::Markdown => {
            let markdown::read::Read { content, plainer } = markdown::read::read(text(bytes)?).map_err(refused)?;
            let mut losses = Losses::default();
            plainer.into_iter().for_each(|plainer| losses.note(lost(plainer), String::new));
            let content = finish::<DocumentContent>(content, random)?;
            Ok(Read { kind: FileType::Document, content, warnings: losses.warnings() })
        }
        Format::Csv => {
            let content = cells::of_sheet(csv::read(text(bytes)?).map_err(invalid)?);
            spreadsheet(Imported { content, warnings: Vec::new() }, random)
        }
        Format::Xlsx => spreadsheet(xlsx::read(bytes).map_err(invalid)?, random),
        Format::Text => {
            let (title, content) = (name.as_str().to_owned(), text(bytes)?.to_owned());
            let note = NoteContent { title, content, tags: None, pinned: None, archived: None };
            let note = json_reader::read(&serde_json::to_value(&note)?).map_err(refused)?;
            Ok(whole(FileType::Note, finish::<NoteContent>(note, random)?))
        }
    }
}

fn lost(plainer: Plainer) -> Lost {
    match plainer {
        Plainer::Headings => Lost::HeadingLevels,
        Plainer::Nesting => Lost::Nesting,
        Plainer::Code => Lost::Code,
        Plainer::Images => Lost::ImagesAsLinks,
        Plainer::Html => Lost::Html,
        Plainer::Targets => Lost::LinkTargets,
    }
}

fn spreadsheet(Imported { content, warnings }: Imported, random: &Random) -> Result<Read, Error> {
    let content = cells::checked(content)?.map_err(refused)?;
    Ok(Read { kind: FileType::Spreadsheet, content: finish(content, random)?, warnings })
}

/// Canonical content, or the problems that it has.
fn finish<C: Content>(content: C, random: &Random) -> Result<Canonical, Error> {
    Canonical::of_new(content, random)?.map_err(|Forbidden { code, problems }| Refusal::problems(code, problems).into())
}

/// UTF-8, without a byte order mark.
fn text(bytes: &[u8]) -> Result<&str, Error> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => Err(invalid(format!("must be UTF-8; byte {} is not", error.valid_up_to() + 1))),
    }
}

fn refused(problems: Vec<Problem>) -> Error {
    Refusal::problems(&code::INVALID_FIELD, problems).into()
}

pub fn invalid(rule: String) -> Error {
    refused(vec![Problem { at: String::new(), rule }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_name_says_what_the_file_is() {
        assert_eq!(format("Plan.md"), Ok((Format::Markdown, "Plan")));
        assert_eq!(format("PLAN.MD"), Ok((Format::Markdown, "PLAN")));
        assert_eq!(format("a.note.JSON"), Ok((Format::Json(FileType::Note), "a")));
        assert_eq!(format("a.csv.document.json"), Ok((Format::Json(FileType::Document), "a.csv")));
        assert_eq!(format("é.txt"), Ok((Format::Text, "é")));
        for name in ["", "md", "a.json", "a.xls", "é", "a.md ", "日本"] {
            assert!(format(name).is_err(), "{name:?}");
        }
    }
}
