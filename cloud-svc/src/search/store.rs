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
/// is found among them.
const NEWEST: i64 = 256;
/// Buckets of the index of PostgreSQL (see the migration) that are searched at once, after the newest one: those of a million
/// changes.
const BUCKETS: i64 = 16;

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
    let found: Vec<Candidate> = match conn {
        Conn::Sqlite(conn) => {
            const SQL: &str =
                "SELECT rowid AS id FROM file_names WHERE file_names MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?";
            let query = name_pieces::full_text_query(owner, pieces);
            let query = sql_query(SQL).bind::<Text, _>(query).bind::<BigInt, _>(below);
            prepared(query.bind::<BigInt, _>(limit)).load(conn)?
        }
        Conn::Postgres(conn) => {
            let found = among_newest(conn, owner, term, below, limit)?;
            if is_all(&found, limit) { found } else { by_index(conn, owner, (term, pieces), below, limit)? }
        }
    };
    Ok(found.into_iter().map(|candidate| candidate.id).collect())
}

fn is_all(found: &[Candidate], limit: i64) -> bool {
    i64::try_from(found.len()).is_ok_and(|count| count >= limit)
}

fn among_newest(
    conn: &mut PgConnection,
    owner: WorkspaceId,
    term: &str,
    below: i64,
    limit: i64,
) -> QueryResult<Vec<Candidate>> {
    const SQL: &str = "SELECT id FROM (
            SELECT id, name_key, state FROM files WHERE workspace_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3
        ) AS newest WHERE state = 'active' AND name_key LIKE $4 ESCAPE '\\' ORDER BY id DESC LIMIT $5";
    let query = sql_query(SQL).bind::<BigInt, _>(owner).bind::<BigInt, _>(below).bind::<BigInt, _>(NEWEST);
    prepared(query.bind::<Text, _>(containing(term)).bind::<BigInt, _>(limit)).load(conn)
}

fn by_index(
    conn: &mut PgConnection,
    owner: WorkspaceId,
    (term, pieces): (&str, &[&str]),
    below: i64,
    limit: i64,
) -> QueryResult<Vec<Candidate>> {
    const NEWEST_BUCKET: &str = "SELECT first_change / 65536 AS id FROM files WHERE workspace_id = $1 AND id < $2
        ORDER BY files.id DESC LIMIT 1";
    // What is found by the pieces is made first: the planner, which does not know how rare they are, would walk through the
    // workspace in the order of ids.
    const SQL: &str = "SELECT found.id FROM generate_series($5, $6, -1) AS bucket CROSS JOIN LATERAL (
            WITH named AS MATERIALIZED (
                SELECT id, workspace_id, state, first_change, name_key FROM files
                WHERE name_pieces(workspace_id, first_change / 65536, name_key)
                    @> ARRAY(SELECT hashtextextended(piece, $1 # (bucket << 50)) FROM unnest($3) AS piece)
            ) SELECT id FROM named WHERE workspace_id = $1 AND id < $2 AND first_change / 65536 = bucket
            AND state = 'active' AND name_key LIKE $4 ESCAPE '\\' ORDER BY id DESC LIMIT $7
        ) AS found ORDER BY found.id DESC LIMIT $7";
    let newest = sql_query(NEWEST_BUCKET).bind::<BigInt, _>(owner).bind::<BigInt, _>(below);
    let newest: Option<Candidate> = prepared(newest).get_result(conn).optional()?;
    let Some(Candidate { id: mut last }) = newest else { return Ok(Vec::new()) };
    let (mut found, mut first) = (Vec::new(), last);
    loop {
        let query = sql_query(SQL).bind::<BigInt, _>(owner).bind::<BigInt, _>(below).bind::<Array<Text>, _>(pieces);
        let query = query.bind::<Text, _>(containing(term)).bind::<BigInt, _>(last).bind::<BigInt, _>(first);
        found.extend(prepared(query.bind::<BigInt, _>(limit)).load::<Candidate>(conn)?);
        if first == 0 || is_all(&found, limit) {
            return Ok(found);
        }
        (last, first) = (first - 1, (first - BUCKETS).max(0));
    }
}
