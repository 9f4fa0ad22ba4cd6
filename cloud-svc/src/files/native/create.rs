//! `POST /v1/documents`, `/v1/spreadsheets`, …: create a private native file with an immutable initial version.

use std::borrow::Cow;

use shared_model::{
    Error, FromJson, JsonReader, Name, Problem, Random, Refusal, openapi_schema::ObjectSchema, rule::Rule,
};
use shared_runtime::{Answer, Body, MustBeNew};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use crate::{
    base::{parent::Parent, permissions::WriteFiles},
    files::{
        add::{self, Addition},
        file::FileAnswer,
    },
    workspace::command::Command,
};
use cloud_content::{
    canonical::Canonical,
    content::{Content, Forbidden},
};

#[derive(Debug)]
pub struct CreateNative<C> {
    pub name: Name,
    pub parent_id: Option<Parent>,
    /// `None` for the smallest valid content.
    pub content: Option<C>,
}

impl<C: Content> FromJson for CreateNative<C> {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let name = object.required("name", Name::read);
            let parent_id = object.optional("parent_id", Parent::read);
            let content = object.optional("content", C::read);
            Some(Self { name: name?, parent_id: parent_id?, content: content? })
        })
    }
}

impl<C: Content> PartialSchema for CreateNative<C> {
    fn schema() -> RefOr<Schema> {
        ObjectSchema::new(&["A file to create."])
            .required::<Name>("name", &["The name of the file."])
            .optional::<Parent>("parent_id", &["The parent folder; absent: the top."])
            .optional::<C>("content", &["The content; absent: the smallest valid content."])
            .into()
    }
}

impl<C: Content> ToSchema for CreateNative<C> {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed(C::KIND.create_schema)
    }

    fn schemas(components: &mut Vec<(String, RefOr<Schema>)>) {
        Name::add_components(components);
        C::add_components(components);
    }
}

pub async fn create<C: Content>(
    command: Command<WriteFiles>,
    MustBeNew(must_be_new): MustBeNew,
    Body(CreateNative { name, parent_id, content }): Body<CreateNative<C>>,
) -> Result<Answer<FileAnswer>, Error> {
    // Made here, because the transaction may run again. The preview shows the ids that the new parts will have.
    let content = content.unwrap_or_else(|| C::smallest(&name));
    let content = canonical(content, &command.context.random)?;
    command
        .run(move |conn, by| {
            let (parent_id, content) = (parent_id.and_then(Parent::folder), Some((&content).into()));
            let file = add::add(conn, by, Addition { parent_id, name: &name, kind: C::TYPE, content, must_be_new })?;
            let href = by.links.content_href(file.id, file.kind);
            Ok(by.links.answer(file)?.header("location", href))
        })
        .await
}

/// What a file with this content stores; 422 for content that must not be created.
pub fn canonical<C: Content>(content: C, random: &Random) -> Result<Canonical, Error> {
    Canonical::of_new(content, random)?.map_err(|Forbidden { code, problems }| {
        let of_body = |problem: Problem| Problem { at: format!("/content{}", problem.at), ..problem };
        Refusal::problems(code, problems.into_iter().map(of_body).collect()).into()
    })
}
