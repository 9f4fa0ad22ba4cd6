//! An edit operation of any kind of content.

// The body of a proposal is read before the file, so the type of the file is not known yet.

use serde::Serialize;
use serde_json::Value;
use shared_model::{Failure, FromJson, JsonReader, Random, json_reader, problem, words};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{Discriminator, OneOfBuilder, Ref, RefOr, Schema},
};

use crate::base::limits::EDIT_OPERATIONS;
use cloud_content::{
    content::Content,
    documents::{content::DocumentContent, edit::operation::DocumentOperation},
    file_type::FileType,
    notes::{content::NoteContent, edit::operation::NoteOperation},
    operation::Operations,
    presentations::{content::PresentationContent, edit::operation::PresentationOperation},
    publications::{content::PublicationContent, edit::operation::PublicationOperation},
    spreadsheets::{content::SpreadsheetContent, edit::operation::SpreadsheetOperation},
};

pub trait Planned: Content {
    /// The operation, if this kind of content has it.
    fn operation(any: &Operation) -> Option<&Self::Operation>;
}

macro_rules! kinds {
    ($($variant:ident($operation:ty) of $content:ty,)+) => {
        /// An operation of any kind of content.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum Operation {
            $(#[doc = concat!("Of a ", stringify!($variant), ".")] $variant($operation),)+
        }

        $(impl Planned for $content {
            fn operation(any: &Operation) -> Option<&Self::Operation> {
                match any {
                    Operation::$variant(operation) => Some(operation),
                    _ => None,
                }
            }
        })+

        impl Operation {
            /// Gives an id to each new part of the operation that has none.
            pub fn give_ids(&mut self, random: &Random) {
                match self {
                    $(Self::$variant(operation) => <$content>::give_ids_in(operation, random),)+
                }
            }
        }

        /// The values of `op`, by the type of content.
        const WORDS: &[(FileType, &[&str])] = &[
            $((<$content as Content>::TYPE, <$operation as Operations>::WORDS),)+
        ];

        fn read(kind: FileType, reader: &JsonReader<'_>) -> Option<Operation> {
            match kind {
                $(<$content as Content>::TYPE => <$operation>::from_json(reader).map(Operation::$variant),)+
                _ => None,
            }
        }

        fn shapes() -> Vec<(String, &'static str)> {
            let mut shapes = Vec::new();
            $(shapes.extend(<$operation as Operations>::names().into_iter().zip(<$operation as Operations>::WORDS.iter().copied()));)+
            shapes
        }

        fn add_shapes(components: &mut Vec<(String, RefOr<Schema>)>) {
            $(<$operation as Operations>::add_components(components);)+
        }
    };
}

kinds! {
    Document(DocumentOperation) of DocumentContent,
    Spreadsheet(SpreadsheetOperation) of SpreadsheetContent,
    Note(NoteOperation) of NoteContent,
    Publication(PublicationOperation) of PublicationContent,
    Presentation(PresentationOperation) of PresentationContent,
}

/// Reads the stored operations of a plan.
pub fn stored(text: &str) -> Result<Vec<Operation>, Failure> {
    let operations: Value = serde_json::from_str(text)?;
    let read = json_reader::read_with(&operations, |reader| reader.array(1..=EDIT_OPERATIONS, Operation::from_json));
    read.map_err(|problems| Failure::fault(format!("stored operations: {}", problem::describe(&problems))))
}

/// The values of `op` for this type of content, as text.
pub fn words_of(kind: FileType) -> String {
    let words = WORDS.iter().filter(|(of, _)| *of == kind).flat_map(|(_, words)| words.iter().copied());
    words::join_and(&words.collect::<Vec<_>>())
}

impl FromJson for Operation {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        let Value::Object(members) = reader.value() else { return reader.refuse("must be an object") };
        let Some(word) = members.get("op").and_then(Value::as_str) else {
            return reader.refuse("must have the member \"op\", a string");
        };
        let kinds = WORDS.iter().filter(|(_, words)| words.contains(&word)).map(|(kind, _)| *kind);
        // Two kinds share some words, but their operations have different members.
        let kind = kinds.max_by_key(|kind| match kind {
            FileType::Document => members.contains_key("block_id"),
            FileType::Presentation => members.contains_key("slide_id"),
            _ => !members.contains_key("block_id") && !members.contains_key("slide_id"),
        });
        match kind {
            Some(kind) => read(kind, reader),
            None => {
                let all: Vec<_> = WORDS.iter().flat_map(|(_, words)| words.iter().copied()).collect();
                reader.note("/op", format!("must be one of: {}", all.join(", ")));
                None
            }
        }
    }
}

impl PartialSchema for Operation {
    fn schema() -> RefOr<Schema> {
        let mut one_of =
            OneOfBuilder::new().description(Some("An edit. The type of the file decides which edits it has."));
        let mut discriminator = Discriminator::new("op");
        let shapes = shapes();
        for (name, word) in &shapes {
            let reference = Ref::from_schema_name(name);
            // A word that two kinds share does not identify a schema.
            if shapes.iter().filter(|(_, other)| other == word).count() == 1 {
                discriminator.mapping.insert((*word).to_owned(), reference.ref_location.clone());
            }
            one_of = one_of.item(reference);
        }
        let is_unambiguous = discriminator.mapping.len() == shapes.len();
        one_of.discriminator(is_unambiguous.then_some(discriminator)).into()
    }
}

impl ToSchema for Operation {
    fn schemas(components: &mut Vec<(String, RefOr<Schema>)>) {
        add_shapes(components);
    }
}
