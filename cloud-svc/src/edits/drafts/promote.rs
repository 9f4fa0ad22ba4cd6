//! `POST /v1/scratch/{draft_id}/promote`: makes a draft a new file, or a version of an existing one.

use std::{borrow::Cow, collections::HashSet};

use serde::Serialize;
use shared_model::{Error, Failure, JsonReader, Name, Problem, Random, Refusal, code};
use shared_runtime::{Answer, Body, Conn, OptionalIfMatch, Path};
use utoipa::ToSchema;

use super::{
    content::DraftContent,
    draft::{Draft, DraftRecord, DraftState},
    store,
};
use crate::{
    base::{
        ids::{DraftId, FileId},
        parent::Parent,
        permissions::WriteFiles,
    },
    files::{
        self,
        add::{self, Addition},
        authorship,
        file::{File, FileRecord},
        precondition, retired_part_ids,
        versions::{
            self,
            add::{Next, Origin},
        },
    },
    workspace::{
        self,
        changes::ChangeType,
        command::{ChangeContext, Command},
    },
};
use cloud_content::{canonical::Canonical, content::Content, hidden_text, of_kind, part_id::PartId};

shared_model::json_object! {
    /// The folder of the new file, or the file that gets a new version.
    #[derive(Debug)]
    pub struct PromoteDraft {
        /// The folder of the new file. The top level if absent.
        pub parent_id: Option<Parent>,
        /// The file of the same type that gets a new version. Needs `If-Match`.
        pub file_id: Option<FileId>,
    }
    example = {"parent_id": "file_12"};
    check = one_target;
}

fn one_target(reader: &JsonReader<'_>, body: Option<&PromoteDraft>) {
    if body.is_some_and(|body| body.parent_id.is_some() && body.file_id.is_some()) {
        reader.note("/file_id", "must be absent if parent_id is present: a version stays in the folder of its file");
    }
}

/// A promoted draft and its file.
#[derive(Serialize, ToSchema)]
pub struct PromoteAnswer {
    pub draft: DraftRecord,
    /// The file that it became, or became a version of. Null if the file is deleted.
    #[schema(required)]
    pub file: Option<FileRecord>,
}

pub async fn promote(
    command: Command<WriteFiles>,
    Path((id,)): Path<(DraftId,)>,
    if_match: OptionalIfMatch,
    Body(PromoteDraft { parent_id, file_id }): Body<PromoteDraft>,
) -> Result<Answer<PromoteAnswer>, Error> {
    let random = command.context.random.clone();
    let judged = Judged::before(&command, id, &random).await?;
    command
        .run(move |conn, by| {
            let draft = store::find(conn, &by.author, id, by.at)?.ok_or_else(code::not_found)?;
            // A second promotion, with another key, makes no second file: it answers with the first.
            if let (DraftState::Promoted, Some(file)) = (draft.state, draft.file_id) {
                let file = files::store::find(conn, by.owner(), file)?;
                return answer(by, draft, file);
            }
            let content = &*judged.of(&draft, &random)?;
            // Before the version takes its storage: a workspace with a full quota can still promote.
            workspace::store::give_back(conn, by.workspace(), draft.bytes())?;
            workspace::agents::count_bytes(conn, &by.author, -draft.bytes(), by.at)?;
            let file = match file_id {
                Some(file) => {
                    let file = precondition::load_target_for_update(conn, by, file, if_match.required()?)?;
                    version(conn, by, &draft, file, content)?
                }
                None => {
                    if_match.must_be_absent()?;
                    let name = Name::parse(&draft.name).map_err(Failure::fault)?;
                    let (kind, content) = (draft.kind.file_type(), Some(content.into()));
                    let parent_id = parent_id.and_then(Parent::folder);
                    let new = Addition { parent_id, name: &name, kind, content, must_be_new: false };
                    add::add_as(conn, by, new, ChangeType::DraftPromoted)?
                }
            };
            let draft = store::set_promoted(conn, draft, file.id)?;
            answer(by, draft, Some(file))
        })
        .await
}

/// The content of a draft before the transaction, and its canonical text.
// The rules may be stricter than when the draft was written, so the content is checked again. Large content takes long:
// the check runs before the transaction, so that nobody waits for the database.
struct Judged(Option<(String, Canonical)>);

impl Judged {
    // Refuses nothing, even if the draft is missing, promoted or invalid: a repeated command must get its first answer.
    // The transaction refuses.
    async fn before(command: &Command<WriteFiles>, id: DraftId, random: &Random) -> Result<Self, Error> {
        let (author, now, random) = (command.by.author.clone(), command.by.at, random.clone());
        let judge = move |conn: &mut Conn| {
            let draft = store::find(conn, &author, id, now)?.filter(|draft| draft.state == DraftState::Draft);
            Ok(draft.and_then(|draft| canonical(&draft, &random).ok().map(|canonical| (draft.content, canonical))))
        };
        command.context.read(judge).await.map(Self)
    }

    /// The canonical text of the draft, checked again if it has changed.
    fn of(&self, draft: &Draft, random: &Random) -> Result<Cow<'_, Canonical>, Error> {
        match &self.0 {
            Some((content, canonical)) if *content == draft.content => Ok(Cow::Borrowed(canonical)),
            _ => canonical(draft, random).map(Cow::Owned),
        }
    }
}

fn canonical(draft: &Draft, random: &Random) -> Result<Canonical, Error> {
    DraftContent::stored(&draft.content)?.canonical(draft.kind, random)
}

fn answer(by: &ChangeContext, draft: Draft, file: Option<File>) -> Result<Answer<PromoteAnswer>, Error> {
    let file = file.map(|file| by.links.record(file));
    let etag = file.as_ref().map(|file| file.etag);
    let answer = Answer::ok(&PromoteAnswer { draft: DraftRecord::new(draft)?, file })?;
    Ok(match etag {
        Some(etag) => answer.etag(etag),
        None => answer,
    })
}

/// Adds the draft to a file as a version.
fn version(conn: &mut Conn, by: &ChangeContext, draft: &Draft, file: File, content: &Canonical) -> Result<File, Error> {
    if file.kind != draft.kind.file_type() {
        let rule = format!("must have the type {}, like the draft; it has {}", draft.kind.as_str(), file.kind.as_str());
        return Err(invalid_target(rule));
    }
    let current = files::store::with_content(conn, by.owner(), file.id, file.kind)?;
    let (_, current) = current.ok_or_else(code::not_found)?;
    let is_risky = |conn: &mut Conn| versions::risk::is_risky(conn, &file, &current.content, content.as_str());
    by.check_direct(conn, is_risky, "Propose the content as a plan of that file, and ask for its review.")?;
    let compared = of_kind!(file.kind, C => {
        let later: C = serde_json::from_str(content.as_str()).map_err(Failure::from)?;
        let ids = later.part_ids().into_iter().map(PartId::as_str);
        check_ids(&later, &retired_part_ids::among(conn, file.id, ids)?)?;
        let before: C = versions::restore::changeable(&current.content)?;
        // The person who promotes a draft may not have seen the links that the file has already.
        let added = content.link_domains() - &hidden_text::link_domains(&before);
        (before.gone_part_ids(&later).into_iter().cloned().collect::<Vec<_>>(), added)
    });
    let (gone, added) = compared.unwrap_or_default();
    let content = &content.clone().linking_to(added);
    let authorship = of_kind!(file.kind, C => authorship::kept::changed::<C>(conn, &file, content.as_str(), None)?);
    let next = Next {
        content: content.into(),
        gone: &gone,
        origin: Origin::Draft,
        authorship: authorship.as_deref(),
        edited_by: None,
        freed_bytes: 0,
    };
    versions::add::add(conn, by, file, next)
}

/// 422 if the draft has the id of a deleted part of the file.
// A comment on the deleted part would be about the new one.
fn check_ids<C: Content>(later: &C, gone: &HashSet<String>) -> Result<(), Error> {
    match later.part_ids().into_iter().find(|id| gone.contains(id.as_str())) {
        None => Ok(()),
        Some(id) => Err(invalid_target(format!("must be a file that never deleted a part {id}, which the draft has"))),
    }
}

fn invalid_target(rule: String) -> Error {
    Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: "/file_id".to_owned(), rule }]).into()
}
