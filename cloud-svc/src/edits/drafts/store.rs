//! The store of drafts. Only its grant finds a draft, and only until its end.

use diesel::{dsl::sql, prelude::*, sql_types::BigInt};
use shared_model::{Error, Failure, Name, Timestamp};
use shared_runtime::{Conn, state::db::prepared};

use super::draft::{Draft, DraftState};
use crate::{
    base::{
        author::Author,
        codes,
        ids::{DraftId, FileId, WorkspaceId},
        limits::{SCRATCH_BYTES, SCRATCH_DRAFTS},
        tables::drafts,
    },
    workspace,
};
use cloud_content::canonical::Canonical;

/// The drafts of the author's grant.
// The end is a condition and not left to the sweep: an ended draft is gone even before it is deleted.
#[diesel::dsl::auto_type(no_type_alias)]
fn of_grant<'a>(author: &'a Author, now: Timestamp) -> _ {
    let (workspace, grant): (WorkspaceId, &'a str) = (author.workspace, author.grant_id.as_str());
    drafts::workspace_id.eq(workspace).and(drafts::grant_id.eq(grant)).and(drafts::expires_at.gt(now))
}

/// Inserts a draft and takes its storage; 409 if the grant has too many drafts, 413 if the workspace has no room.
pub fn insert(conn: &mut Conn, author: &Author, draft: &Draft, now: Timestamp) -> Result<(), Error> {
    workspace::store::take(conn, author, draft.bytes(), now)?;
    diesel::insert_into(drafts::table)
        .values((
            drafts::id.eq(draft.id),
            drafts::workspace_id.eq(author.workspace),
            drafts::grant_id.eq(author.grant_id.as_str()),
            drafts::name.eq(draft.name.as_str()),
            drafts::kind.eq(draft.kind),
            drafts::state.eq(draft.state),
            drafts::file_id.eq(draft.file_id),
            drafts::content.eq(draft.content.as_str()),
            drafts::content_bytes.eq(draft.bytes()),
            drafts::created_at.eq(now),
            drafts::expires_at.eq(draft.expires_at),
        ))
        .execute(conn)
        .map_err(Failure::from)?;
    // After the insert, so that the draft itself counts. A refusal rolls it back.
    check_room(conn, author, now)
}

/// 409 if the grant has too many drafts.
// Taking storage has locked the row of the workspace: two commands cannot both count before the other's draft is there.
fn check_room(conn: &mut Conn, author: &Author, now: Timestamp) -> Result<(), Error> {
    let (count, bytes): (i64, i64) = drafts::table
        .filter(of_grant(author, now))
        .select((sql::<BigInt>("count(*)"), sql::<BigInt>("CAST(coalesce(sum(content_bytes), 0) AS BIGINT)")))
        .first(conn)
        .map_err(Failure::from)?;
    if count <= SCRATCH_DRAFTS && bytes <= SCRATCH_BYTES {
        return Ok(());
    }
    let message = format!(
        "A grant has at most {SCRATCH_DRAFTS} drafts with {SCRATCH_BYTES} bytes of content together. With this draft it \
         would have {count} drafts with {bytes} bytes."
    );
    Err(codes::SCRATCH_FULL.because(message).into())
}

pub fn find(conn: &mut Conn, author: &Author, id: DraftId, now: Timestamp) -> Result<Option<Draft>, Failure> {
    let found = drafts::table.filter(of_grant(author, now)).filter(drafts::id.eq(id));
    Ok(found.select(Draft::as_select()).first(conn).optional()?)
}

/// Newest first.
pub fn list(conn: &mut Conn, author: &Author, now: Timestamp) -> Result<Vec<Draft>, Failure> {
    let of_grant = drafts::table.filter(of_grant(author, now)).order((drafts::created_at.desc(), drafts::id));
    Ok(of_grant.select(Draft::as_select()).limit(SCRATCH_DRAFTS).load(conn)?)
}

/// Writes a new name, new content or both.
pub fn update(
    conn: &mut Conn,
    author: &Author,
    draft: Draft,
    (name, content): (Option<&Name>, Option<&Canonical>),
    (now, expires_at): (Timestamp, Timestamp),
) -> Result<Draft, Error> {
    let before = draft.bytes();
    let name = name.map_or(draft.name, |name| name.as_str().to_owned());
    let content = content.map_or(draft.content, |content| content.as_str().to_owned());
    let draft = Draft { name, content, expires_at, ..draft };
    // The difference may be negative. It is taken even if it is 0, because `check_room` needs the lock.
    workspace::store::take(conn, author, draft.bytes() - before, now)?;
    let values = (
        drafts::name.eq(draft.name.as_str()),
        drafts::content.eq(draft.content.as_str()),
        drafts::content_bytes.eq(draft.bytes()),
        drafts::expires_at.eq(expires_at),
    );
    prepared(diesel::update(drafts::table.find(draft.id)).set(values)).execute(conn).map_err(Failure::from)?;
    check_room(conn, author, now)?;
    Ok(draft)
}

/// Notes the file of a promoted draft.
// The content stays for reading. It counts as storage of the file only: `delete` and the sweep give nothing back.
pub fn set_promoted(conn: &mut Conn, draft: Draft, file: FileId) -> Result<Draft, Failure> {
    let draft = Draft { state: DraftState::Promoted, file_id: Some(file), ..draft };
    let values = (drafts::state.eq(draft.state), drafts::file_id.eq(draft.file_id));
    prepared(diesel::update(drafts::table.find(draft.id)).set(values)).execute(conn)?;
    Ok(draft)
}

pub fn delete(conn: &mut Conn, author: &Author, draft: &Draft) -> Result<(), Failure> {
    if draft.state == DraftState::Draft {
        workspace::store::give_back(conn, author.workspace, draft.bytes())?;
    }
    diesel::delete(drafts::table.find(draft.id)).execute(conn)?;
    Ok(())
}
