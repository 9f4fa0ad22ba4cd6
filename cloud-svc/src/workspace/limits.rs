//! What the limits of an agent let through: the one condition for rows of `files`.

use std::collections::{BTreeSet, HashSet};

use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Text},
};
use shared_model::{Error, Failure};
use shared_runtime::{Conn, on_each, state::db::prepared};

use crate::base::{
    codes, id_list,
    ids::FileId,
    owner::Owner,
    tables::{agent_folders, agent_types, agents},
};
use cloud_content::file_type::FileType;

/// SQL before the number of the limits: a row of `files` is within them, or there are none.
pub const BEFORE: &str = "NOT EXISTS (SELECT 1 FROM agents WHERE agents.number = ";
/// SQL after the number.
// Folders have no type that counts: they lead to the files of the allowed types.
pub const AFTER: &str = " AND (
    (agents.is_of_types AND files.type <> 'folder' AND NOT EXISTS (
        SELECT 1 FROM agent_types WHERE agent_types.agent = agents.number AND agent_types.type = files.type))
    OR (agents.is_in_folders AND NOT EXISTS (
        WITH RECURSIVE inside (id, parent_id) AS (
            SELECT me.id, me.parent_id FROM files me WHERE me.id = files.id
            UNION ALL SELECT folder.id, folder.parent_id FROM files folder JOIN inside ON folder.id = inside.parent_id
        ) SELECT 1 FROM inside JOIN agent_folders ON agent_folders.file_id = inside.id
        WHERE agent_folders.agent = agents.number))))";

/// Narrows a boxed query of `files` to what the owner may see.
// A macro, because diesel's types of such conditions cannot be named.
macro_rules! within_limits {
    ($query:ident, $owner:expr) => {
        if let Some(number) = $owner.agent() {
            $query = $query.filter(
                diesel::dsl::sql::<diesel::sql_types::Bool>($crate::workspace::limits::BEFORE)
                    .bind::<diesel::sql_types::BigInt, _>(number)
                    .sql($crate::workspace::limits::AFTER),
            );
        }
    };
}
pub(crate) use within_limits;

/// The same for a boxed query of rows that name a file. Those of other files, of purged ones and of none are left out.
macro_rules! within_limits_of_file {
    ($query:ident, $owner:expr, $column:literal) => {
        if let Some(number) = $owner.agent() {
            let named =
                concat!("EXISTS (SELECT 1 FROM files WHERE files.id = ", $column, " AND files.purged_at IS NULL AND ");
            $query = $query.filter(
                diesel::dsl::sql::<diesel::sql_types::Bool>(named)
                    .sql($crate::workspace::limits::BEFORE)
                    .bind::<diesel::sql_types::BigInt, _>(number)
                    .sql($crate::workspace::limits::AFTER)
                    .sql(")"),
            );
        }
    };
}
pub(crate) use within_limits_of_file;

/// How a caller is limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Queryable)]
pub struct Narrowed {
    pub is_in_folders: bool,
    pub is_of_types: bool,
}

impl Narrowed {
    /// Whether there is anything in the workspace that the caller does not see.
    pub fn is_narrow(self) -> bool {
        self.is_in_folders || self.is_of_types
    }
}

pub fn of(conn: &mut Conn, owner: Owner) -> Result<Narrowed, Failure> {
    let Some(number) = owner.agent() else { return Ok(Narrowed::default()) };
    let row = agents::table.find(number).select((agents::is_in_folders, agents::is_of_types));
    Ok(row.first(conn).optional()?.unwrap_or_default())
}

/// The folders of the limits. For the agent they are at the top.
pub fn roots(conn: &mut Conn, owner: Owner) -> Result<BTreeSet<FileId>, Failure> {
    let Some(number) = owner.agent() else { return Ok(BTreeSet::new()) };
    let of_agent = agent_folders::table.filter(agent_folders::agent.eq(number)).select(agent_folders::file_id);
    Ok(of_agent.load(conn)?.into_iter().collect())
}

#[derive(QueryableByName)]
struct Seen {
    #[diesel(sql_type = BigInt)]
    id: FileId,
}

/// Those of these files that are within the limits.
pub fn allowed(conn: &mut Conn, owner: Owner, ids: &[FileId]) -> Result<HashSet<FileId>, Failure> {
    let Some(number) = owner.agent() else { return Ok(ids.iter().copied().collect()) };
    let ((before, after), list) =
        (id_list::condition(conn, "files.id"), id_list::parameter(conn, ids.iter().map(|id| id.number())));
    let sql = format!("SELECT files.id AS id FROM files WHERE {before}$1{after} AND {BEFORE}$2{AFTER}");
    let query = sql_query(sql).bind::<Text, _>(list).bind::<BigInt, _>(number);
    let found: Vec<Seen> = on_each!(conn, |c| prepared(query).load(c))?;
    Ok(found.into_iter().map(|Seen { id }| id).collect())
}

/// 403 if the limits do not allow files of this type.
pub fn check_kind(conn: &mut Conn, owner: Owner, kind: FileType) -> Result<(), Error> {
    let Some(number) = owner.agent() else { return Ok(()) };
    if kind == FileType::Folder || !of(conn, owner)?.is_of_types {
        return Ok(());
    }
    // Otherwise it would write what it cannot see.
    let listed = agent_types::table.find((number, kind)).select(agent_types::agent);
    match listed.first::<i64>(conn).optional().map_err(Failure::from)? {
        Some(_) => Ok(()),
        None => {
            let message = format!("The limits of this agent do not allow files of type {}.", kind.as_str());
            Err(codes::AGENT_LIMITED.because(message).into())
        }
    }
}
