//! Edit operations: JSON until the type of the file is known, then operations of its kind of content.

use std::sync::Arc;

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shared_model::{Failure, FromJson, JsonReader, Problem, Random, Refusal, code, json_reader, problem};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{Discriminator, OneOfBuilder, Ref, RefOr, Schema},
};

use crate::base::limits::EDIT_OPERATIONS;
use cloud_content::{content::Content, for_each_kind, operation::Operations as _};

/// An operation of any kind of content, as it is sent.
#[derive(Clone, Debug)]
pub struct Operation(Value);

impl FromJson for Operation {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.open_object(|_| Some(()))?;
        // Stored operations have blocks in place of their Markdown. Nobody sends those: they would skip its limits.
        if reader.value()["markdown"].is_array() {
            reader.note("/markdown", "must be a string");
            return None;
        }
        Some(Self(reader.value().clone()))
    }
}

/// The operations of a plan, as they are sent.
#[derive(Clone, Debug)]
pub struct SentOperations(Arc<Value>);

impl SentOperations {
    pub fn new(operations: Vec<Operation>) -> Self {
        Self(Arc::new(operations.into_iter().map(|Operation(value)| value).collect()))
    }

    /// SHA-256 in hexadecimal digits. The order of members and whitespace make no difference.
    pub fn sha256(&self) -> String {
        hex::encode(Sha256::digest(canonical_json::value_text(&self.0)))
    }

    /// Reads them as edits of `C`, and gives an id to every part that has none. 422 lists every problem.
    pub fn read<C: Content>(&self, random: &Random) -> Result<Vec<C::Operation>, Refusal> {
        let mut operations = read_all::<C>(&self.0).map_err(|problems| {
            let at = |problem: Problem| Problem { at: format!("/operations{}", problem.at), ..problem };
            Refusal::problems(&code::INVALID_FIELD, problems.into_iter().map(at).collect())
        })?;
        operations.iter_mut().for_each(|operation| C::give_ids_in(operation, random));
        Ok(operations)
    }
}

/// Reads the stored operations of a plan.
pub fn stored<C: Content>(text: &str) -> Result<Vec<C::Operation>, Failure> {
    let operations = serde_json::from_str(text)?;
    read_all::<C>(&operations)
        .map_err(|problems| Failure::fault(format!("stored operations: {}", problem::describe(&problems))))
}

fn read_all<C: Content>(operations: &Value) -> Result<Vec<C::Operation>, Vec<Problem>> {
    json_reader::read_with(operations, |reader| reader.array(1..=EDIT_OPERATIONS, C::Operation::from_json))
}

impl PartialSchema for Operation {
    fn schema() -> RefOr<Schema> {
        let mut one_of =
            OneOfBuilder::new().description(Some("An edit. The type of the file decides which edits it has."));
        let mut discriminator = Discriminator::new("op");
        let shapes: Vec<(String, &str)> = for_each_kind!(C => shapes::<C>()).concat();
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

/// The OpenAPI names of the operations of a kind, with their words.
fn shapes<C: Content>() -> Vec<(String, &'static str)> {
    C::Operation::names().into_iter().zip(C::Operation::WORDS.iter().copied()).collect()
}

impl ToSchema for Operation {
    fn schemas(components: &mut Vec<(String, RefOr<Schema>)>) {
        for_each_kind!(C => <C as Content>::Operation::add_components(components));
    }
}
