//! The queries of a search. An index of name pieces finds candidates, which are then compared with the whole term.
//! A term that is too short for the index is compared with all names of the workspace, newest first.

use diesel::{
    prelude::*,
    sql_query,
    sql_types::{Array, BigInt, Text},
};
use shared_model::Failure;
use shared_runtime::{Conn, state::db::prepared};

use crate::{
    base::{ids::FileId, owner::Owner},
    files::{
        file::File,
        like_pattern::containing,
        name_pieces,
        oldest_of_page::oldest_of_page,
        store::{self, Filter, Names},
    },
};

const BATCH: i64 = 4_096;
// Of a million names that match, few may be in the folder or of the type. The next page continues.
const MOST_CANDIDATES: usize = 8_192;

/// Files, and where the search continues if it stopped before it had enough.
#[derive(Debug, Default)]
pub struct Found {
    pub files: Vec<File>,
    pub stopped_at: Option<FileId>,
}

/// The owner's active files whose name keys contain the term, newest first: up to `rows` that come after `after`.
pub fn search(
    conn: &mut Conn,
    owner: Owner,
    term: &str,
    filter: Filter<'_>,
    after: Option<FileId>,
    rows: i64,
) -> Result<Found, Failure> {
    let pieces = name_pieces::of_term(term);
    if pieces.is_empty() {
        let since = oldest_of_page(conn, owner, filter, after)?;
        let filter = Filter { names: Names::Containing(term), since, ..filter };
        return Ok(Found { files: store::list(conn, owner, filter, after, rows)?, stopped_at: since });
    }
    let mut below = after.map_or(i64::MAX, FileId::number);
    let (mut found, mut batch, mut compared) = (Found::default(), rows, 0);
    loop {
        let candidates = candidates(conn, owner, (term, &pieces), below, batch)?;
        let Some(last) = candidates.last() else { return Ok(found) };
        below = *last;
        compared += candidates.len();
        let missing = rows - i64::try_from(found.files.len()).unwrap_or(rows);
        let names = Names::Candidates(term, &candidates);
        found.files.extend(store::list(conn, owner, Filter { names, ..filter }, after, missing)?);
        let is_last = i64::try_from(candidates.len()).is_ok_and(|count| count < batch);
        if is_last || i64::try_from(found.files.len()).is_ok_and(|count| count >= rows) {
            return Ok(found);
        }
        if compared >= MOST_CANDIDATES {
            return Ok(Found { stopped_at: Some(FileId::from_number(below)), ..found });
        }
        // Batches grow: most searches find enough at once, and a rare term should not need many queries.
        batch = (batch * 4).min(BATCH);
    }
}

#[derive(QueryableByName)]
struct Candidate {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// Ids below `below` of files that may match, newest first. Fewer than `limit` ids are the last ones.
fn candidates(
    conn: &mut Conn,
    owner: Owner,
    (term, pieces): (&str, &[&str]),
    below: i64,
    limit: i64,
) -> Result<Vec<i64>, Failure> {
    let found: Vec<Candidate> = match conn {
        Conn::Sqlite(conn) => {
            const SQL: &str =
                "SELECT rowid AS id FROM file_names WHERE file_names MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?";
            let query = name_pieces::full_text_query(owner.workspace(), pieces);
            let query = sql_query(SQL).bind::<Text, _>(query).bind::<BigInt, _>(below);
            prepared(query.bind::<BigInt, _>(limit)).load(conn)?
        }
        Conn::Postgres(conn) => {
            // A function of the database; its migration explains it.
            const SQL: &str =
                "SELECT id FROM unnest(name_candidates($1, $2, $3, $4, $5)) WITH ORDINALITY AS found (id, place)
                ORDER BY place";
            let query = sql_query(SQL).bind::<BigInt, _>(owner.workspace()).bind::<Array<Text>, _>(pieces);
            let query = query.bind::<Text, _>(containing(term)).bind::<BigInt, _>(below);
            prepared(query.bind::<BigInt, _>(limit)).load(conn)?
        }
    };
    Ok(found.into_iter().map(|candidate| candidate.id).collect())
}
