//! `PUT /v1/files/{file_id}/protection`: says which parts agents change only with the approval of a person.

use serde::Serialize;
use shared_model::{Error, Problem, Refusal, code, rule::Array};
use shared_runtime::{Answer, Body, Conn, Path, identity::ActorKind};
use utoipa::ToSchema;

use super::{
    moved,
    store::{self, Protection},
};
use crate::{
    base::{codes, ids::FileId, permissions::WriteFiles},
    files::{
        self,
        comments::create::has_anchors,
        file::{File, FileState},
        precondition,
    },
    workspace::command::Command,
};
use cloud_content::{anchor::Anchor, kinds::native_kind};

/// The most protected places of a file.
pub const PLACES: usize = 100;

shared_model::json_object! {
    /// The protected places of a file. They take the place of those that it has.
    #[derive(Debug)]
    pub struct SetProtection {
        /// Blocks, pages, slides, elements or cells; `{}` for the whole file. Empty: nothing is protected.
        pub protected: Vec<Anchor> as Array<Anchor, 0, PLACES>,
    }
    example = {"protected": [{"block_id": "title"}]};
}

/// What is protected now.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProtectionAnswer {
    #[schema(max_items = 100)]
    pub protected: Vec<Anchor>,
}

pub async fn set(
    command: Command<WriteFiles>,
    Path((id,)): Path<(FileId,)>,
    Body(SetProtection { protected }): Body<SetProtection>,
) -> Result<Answer<ProtectionAnswer>, Error> {
    command
        .run(move |conn, by| {
            // Otherwise an agent could remove what stops it.
            if by.author.actor.kind != ActorKind::User {
                return Err(codes::PERSON_REQUIRED.because("Only a person may protect parts of a file.").into());
            }
            let file = files::store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
            precondition::check_state(&file, FileState::Active, &by.links)?;
            check_places(conn, &file, &protected)?;
            let (set_by, set_at) = (by.author.actor.clone(), by.at);
            let protection = Protection { places: protected.clone(), set_by, set_at };
            let before = store::places(conn, id)?;
            moved::keep(conn, id, &before, &protected)?;
            store::set(conn, id, Some(&protection).filter(|protection| !protection.places.is_empty()))?;
            Ok(Answer::ok(&ProtectionAnswer { protected: protection.places })?)
        })
        .await
}

/// 422 for each place that the current content does not have.
fn check_places(conn: &mut Conn, file: &File, places: &[Anchor]) -> Result<(), Error> {
    // Folders and uploads have no plans, so nothing would ask before they change.
    let is_native = native_kind(file.kind).is_some();
    let is_open = |(_, place): &(usize, &Anchor)| !is_native || !place.is_whole();
    let parts: Vec<(usize, &Anchor)> = places.iter().enumerate().filter(is_open).collect();
    if parts.is_empty() {
        return Ok(());
    }
    let has = has_anchors(conn, file, &parts.iter().map(|(_, place)| *place).collect::<Vec<_>>())?;
    let problem = |index: usize| Problem {
        at: format!("/protected/{index}"),
        rule: "must be a place of the file's current content".to_owned(),
    };
    let problems: Vec<Problem> =
        parts.iter().zip(has).filter(|(_, has)| !has).map(|((index, _), _)| problem(*index)).collect();
    if problems.is_empty() { Ok(()) } else { Err(Refusal::problems(&codes::ANCHOR_NOT_FOUND, problems).into()) }
}
