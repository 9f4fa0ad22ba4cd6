//! The query of a search. Names are found by pieces of the term, on either database by its own index of them; what has all
//! pieces is then compared with the term itself. A term that is too short for a piece is compared with the names of the
//! workspace, from the newest on.

use diesel::{
    prelude::*,
    sql_query,
    sql_types::{Array, BigInt, Text},
};
use shared_model::Failure;
use shared_runtime::{Conn, state::db::prepared};

use crate::{
    files::{
        file::File,
        name_pieces,
        store::{self, Filter, Names, containing},
    },
    ids::{FileId, WorkspaceId},
};

/// Names that are looked up at a time at most.
const BATCH: i64 = 4_096;
/// The newest names of the workspace, which PostgreSQL compares before it takes to the index: a term that many names contain
/// is found among them, and the index would name all of its names.
const NEWEST: i64 = 256;

/// The owner's active files whose name keys contain the term, newest first: at most `rows` that come after `after`.
pub fn search(
    conn: &mut Conn,
    owner: WorkspaceId,
    term: &str,
    filter: Filter<'_>,
    after: Option<FileId>,
    rows: i64,
) -> Result<Vec<File>, Failure> {
    let pieces = name_pieces::of_term(term);
    if pieces.is_empty() {
        return store::list(conn, owner, Filter { names: Names::Containing(term), ..filter }, after, rows);
    }
    let mut below = after.map_or(i64::MAX, FileId::number);
    let (mut found, mut batch) = (Vec::new(), rows);
    loop {
        let candidates = candidates(conn, owner, (term, &pieces), below, batch)?;
        let Some(last) = candidates.last() else { return Ok(found) };
        below = *last;
        let missing = rows - i64::try_from(found.len()).unwrap_or(rows);
        let names = Names::Candidates(term, &candidates);
        found.extend(store::list(conn, owner, Filter { names, ..filter }, after, missing)?);
        let is_last = i64::try_from(candidates.len()).is_ok_and(|count| count < batch);
        if is_last || i64::try_from(found.len()).is_ok_and(|count| count >= rows) {
            return Ok(found);
        }
        batch = (batch * 4).min(BATCH);
    }
}

#[derive(QueryableByName)]
struct Candidate {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// Ids below `below` of files that may be what is looked for, newest first. Fewer than `limit` are the last.
fn candidates(
    conn: &mut Conn,
    owner: WorkspaceId,
    (term, pieces): (&str, &[&str]),
    below: i64,
    limit: i64,
) -> Result<Vec<i64>, Failure> {
    const PIECES: &str =
        "SELECT rowid AS id FROM file_names WHERE file_names MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?";
    const AMONG_NEWEST: &str = "SELECT id FROM (
            SELECT id, name_key, state FROM files WHERE workspace_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3
        ) AS newest WHERE state = 'active' AND name_key LIKE $4 ESCAPE '\\' ORDER BY id DESC LIMIT $5";
    // On its own, or the planner, which does not know how rare the pieces are, walks through the workspace in this order.
    const BY_INDEX: &str = "WITH named AS MATERIALIZED (
            SELECT id, workspace_id, state, name_key FROM files
            WHERE name_pieces(workspace_id, name_key) @> ARRAY(SELECT hashtextextended(piece, $1) FROM unnest($3) AS piece)
        ) SELECT id FROM named WHERE workspace_id = $1 AND id < $2 AND state = 'active' AND name_key LIKE $4 ESCAPE '\\'
        ORDER BY id DESC LIMIT $5";
    let found: Vec<Candidate> = match conn {
        Conn::Sqlite(conn) => {
            let query = name_pieces::full_text_query(owner, pieces);
            let query = sql_query(PIECES).bind::<Text, _>(query).bind::<BigInt, _>(below);
            prepared(query.bind::<BigInt, _>(limit)).load(conn)?
        }
        Conn::Postgres(conn) => {
            let of_workspace = |sql| sql_query(sql).bind::<BigInt, _>(owner).bind::<BigInt, _>(below);
            let newest = of_workspace(AMONG_NEWEST).bind::<BigInt, _>(NEWEST).bind::<Text, _>(containing(term));
            let newest: Vec<Candidate> = prepared(newest.bind::<BigInt, _>(limit)).load(conn)?;
            if i64::try_from(newest.len()).is_ok_and(|count| count == limit) {
                newest
            } else {
                let by_index = of_workspace(BY_INDEX).bind::<Array<Text>, _>(pieces).bind::<Text, _>(containing(term));
                prepared(by_index.bind::<BigInt, _>(limit)).load(conn)?
            }
        }
    };
    Ok(found.into_iter().map(|candidate| candidate.id).collect())
}
