//! The content of a draft, under the rules of its type.

use serde::Serialize;
use serde_json::Value;
use shared_model::{Error, Failure, FromJson, JsonReader, Problem, Random, Refusal, code, json_reader, rule::Rule};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{Ref, RefOr, Schema, schema::AnyOfBuilder},
};

use super::draft_type::DraftType;
use crate::files::native;
use cloud_content::{canonical::Canonical, for_each_kind, of_kind};

/// Content as sent.
// Untyped, because an update names no type: the stored draft does.
#[derive(Clone, Debug, Serialize)]
pub struct DraftContent(Value);

impl FromJson for DraftContent {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.open_object(|_| Some(()))?;
        Some(Self(reader.value().clone()))
    }
}

impl PartialSchema for DraftContent {
    fn schema() -> RefOr<Schema> {
        let names = DraftType::all().filter_map(|(_, kind)| of_kind!(kind.file_type(), C => C::name()));
        let any = AnyOfBuilder::new().description(Some("Content of the draft's type."));
        names.fold(any, |any, name| any.item(Ref::from_schema_name(name))).into()
    }
}

impl ToSchema for DraftContent {
    fn schemas(components: &mut Vec<(String, RefOr<Schema>)>) {
        for_each_kind!(C => C::add_components(components));
    }
}

impl DraftContent {
    pub fn stored(content: &str) -> Result<Self, Error> {
        Ok(Self(serde_json::from_str(content).map_err(Failure::from)?))
    }

    /// The canonical text, with an id for every part. The problems of invalid content are at `/content/…`.
    pub fn canonical(&self, kind: DraftType, random: &Random) -> Result<Canonical, Error> {
        let made = of_kind!(kind.file_type(), C => {
            let content = json_reader::read::<C>(&self.0).map_err(invalid)?;
            native::create::canonical(content, random)?
        });
        made.ok_or_else(|| Failure::fault("a draft of a type without content").into())
    }
}

fn invalid(problems: Vec<Problem>) -> Error {
    let problems = problems.into_iter().map(|problem| Problem { at: format!("/content{}", problem.at), ..problem });
    Refusal::problems(&code::INVALID_FIELD, problems.collect()).into()
}
