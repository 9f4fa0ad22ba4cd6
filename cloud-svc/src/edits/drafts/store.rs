//! The store of drafts. A draft is found by its grant, until its end.

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

/// Which drafts the author's grant has.
#[diesel::dsl::auto_type(no_type_alias)]
fn of_grant<'a>(author: &'a Author, now: Timestamp) -> _ {
    let (workspace, grant): (WorkspaceId, &'a str) = (author.workspace, author.grant_id.as_str());
    drafts::workspace_id.eq(workspace).and(drafts::grant_id.eq(grant)).and(drafts::expires_at.gt(now))
}

/// Inserts a draft, whose storage is taken: 409 when the grant has too many, 413 when it does not fit.
pub fn insert(conn: &mut Conn, author: &Author, draft: &Draft, now: Timestamp) -> Result<(), Error> {
    workspace::store::take(conn, author.workspace, draft.bytes())?;
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
    check_room(conn, author, now)
}

/// 409 when the grant has more than it may have; the storage of the workspace, which is written before, lets one command of it
/// look at a time.
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
        "A grant has at most {SCRATCH_DRAFTS} drafts with {SCRATCH_BYTES} bytes of content together; with this there would \
         be {count} with {bytes} bytes."
    );
    Err(codes::SCRATCH_FULL.because(message).into())
}

/// A draft of the grant.
pub fn find(conn: &mut Conn, author: &Author, id: DraftId, now: Timestamp) -> Result<Option<Draft>, Failure> {
    let found = drafts::table.filter(of_grant(author, now)).filter(drafts::id.eq(id));
    Ok(found.select(Draft::as_select()).first(conn).optional()?)
}

/// All drafts of the grant, newest first.
pub fn list(conn: &mut Conn, author: &Author, now: Timestamp) -> Result<Vec<Draft>, Failure> {
    let of_grant = drafts::table.filter(of_grant(author, now)).order((drafts::created_at.desc(), drafts::id));
    Ok(of_grant.select(Draft::as_select()).limit(SCRATCH_DRAFTS).load(conn)?)
}

/// Writes a draft anew.
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
    workspace::store::take(conn, author.workspace, draft.bytes() - before)?;
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

/// Says which file a draft has become. What it says is that file's from now on, and counts as that file's storage.
pub fn set_promoted(conn: &mut Conn, draft: Draft, file: FileId) -> Result<Draft, Failure> {
    let draft = Draft { state: DraftState::Promoted, file_id: Some(file), ..draft };
    let values = (drafts::state.eq(draft.state), drafts::file_id.eq(draft.file_id));
    prepared(diesel::update(drafts::table.find(draft.id)).set(values)).execute(conn)?;
    Ok(draft)
}

/// Deletes a draft.
pub fn delete(conn: &mut Conn, author: &Author, draft: &Draft) -> Result<(), Failure> {
    if draft.state == DraftState::Draft {
        workspace::store::give_back(conn, author.workspace, draft.bytes())?;
    }
    diesel::delete(drafts::table.find(draft.id)).execute(conn)?;
    Ok(())
}
