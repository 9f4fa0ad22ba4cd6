//! The protected places of files. Callers have checked that the file is visible.

use std::collections::HashMap;

use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{BigInt, Bool},
};
use serde::{Deserialize, Serialize};
use shared_model::{Failure, Timestamp, json_column::Json};
use shared_runtime::{Conn, identity::Actor, on_each, state::db::prepared};

use crate::{
    base::{
        ids::{FileId, WorkspaceId},
        tables::files,
    },
    files::tree,
};
use cloud_content::anchor::Anchor;

/// What is protected, and who wants it so. Stored as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protection {
    pub places: Vec<Anchor>,
    pub set_by: Actor,
    pub set_at: Timestamp,
}

/// The protected places of a file.
pub fn places(conn: &mut Conn, file: FileId) -> Result<Vec<Anchor>, Failure> {
    Ok(find(conn, file)?.map(|protection| protection.places).unwrap_or_default())
}

/// What is protected in these files. Most have nothing that is.
pub fn of_files(conn: &mut Conn, ids: &[FileId]) -> Result<HashMap<FileId, Protection>, Failure> {
    let found = files::table
        .filter(files::id.eq_any(ids).and(files::protection.is_not_null()))
        .select((files::id, files::protection));
    let found: Vec<(FileId, Option<Json<Protection>>)> = on_each!(conn, |c| prepared(found).load(c))?;
    Ok(found.into_iter().filter_map(|(file, protection)| Some((file, protection?.0))).collect())
}

/// Whether a file, or one in it if it is a folder, has protected parts.
pub fn has_protected_parts(conn: &mut Conn, owner: WorkspaceId, file: FileId) -> Result<bool, Failure> {
    let protected = files::table
        .filter(files::workspace_id.eq(owner).and(files::protection.is_not_null()))
        .filter(files::purged_at.is_null());
    let below = sql::<Bool>(tree::IS_BELOW).bind::<BigInt, _>(file).sql(")");
    let here = protected.filter(files::id.eq(file).or(below)).select(files::id).first::<FileId>(conn);
    Ok(here.optional()?.is_some())
}

/// `None` protects nothing.
pub fn set(conn: &mut Conn, file: FileId, protection: Option<&Protection>) -> Result<(), Failure> {
    let json = protection.map(serde_json::to_string).transpose()?;
    prepared(diesel::update(files::table.find(file)).set(files::protection.eq(json))).execute(conn)?;
    Ok(())
}

/// What is protected in a file.
pub fn find(conn: &mut Conn, file: FileId) -> Result<Option<Protection>, Failure> {
    let of_file = files::table.find(file).select(files::protection);
    let found: Option<Json<Protection>> = on_each!(conn, |c| of_file.first(c))?;
    Ok(found.map(|Json(protection)| protection))
}
