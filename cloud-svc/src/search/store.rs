//! The query of a search. Names are found by the pieces of three characters that the term has, on either database by its own
//! index of them; what has all pieces is then compared with the term itself. A term that is too short for a piece is compared
//! with the names of the workspace, from the newest on.

use std::collections::BTreeSet;

use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Text},
};
use shared_model::Failure;
use shared_runtime::{Conn, state::db::prepared};

use crate::{
    files::{
        file::File,
        store::{self, Filter, Names, containing},
    },
    ids::{FileId, WorkspaceId},
};

/// Characters of a piece.
const PIECE: usize = 3;
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
    if term.chars().nth(PIECE - 1).is_none() {
        return store::list(conn, owner, Filter { names: Names::Containing(term), ..filter }, after, rows);
    }
    let mut below = after.map_or(i64::MAX, FileId::number);
    let (mut found, mut batch) = (Vec::new(), rows);
    loop {
        let candidates = candidates(conn, owner, term, below, batch)?;
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
fn candidates(conn: &mut Conn, owner: WorkspaceId, term: &str, below: i64, limit: i64) -> Result<Vec<i64>, Failure> {
    const PIECES: &str =
        "SELECT rowid AS id FROM file_names WHERE file_names MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?";
    const AMONG_NEWEST: &str = "SELECT id FROM (
            SELECT id, name_key, state FROM files WHERE workspace_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3
        ) AS newest WHERE state = 'active' AND name_key LIKE $4 ESCAPE '\\' ORDER BY id DESC LIMIT $5";
    // Unlike what is prepared, it is planned for the very term.
    const BY_INDEX: &str = "SELECT id FROM files
        WHERE workspace_id = $1 AND id < $2 AND state = 'active' AND name_key LIKE $3 ESCAPE '\\'
        AND name_trigrams(workspace_id, name_key) @> name_trigrams($1, $4) ORDER BY id DESC LIMIT $5";
    let found: Vec<Candidate> = match conn {
        Conn::Sqlite(conn) => {
            let query = sql_query(PIECES).bind::<Text, _>(full_text_query(owner, term)).bind::<BigInt, _>(below);
            prepared(query.bind::<BigInt, _>(limit)).load(conn)?
        }
        Conn::Postgres(conn) => {
            let of_workspace = |sql| sql_query(sql).bind::<BigInt, _>(owner).bind::<BigInt, _>(below);
            let newest = of_workspace(AMONG_NEWEST).bind::<BigInt, _>(NEWEST).bind::<Text, _>(containing(term));
            let newest: Vec<Candidate> = prepared(newest.bind::<BigInt, _>(limit)).load(conn)?;
            if i64::try_from(newest.len()).is_ok_and(|count| count == limit) {
                newest
            } else {
                let by_index = of_workspace(BY_INDEX).bind::<Text, _>(containing(term)).bind::<Text, _>(term);
                by_index.bind::<BigInt, _>(limit).load(conn)?
            }
        }
    };
    Ok(found.into_iter().map(|candidate| candidate.id).collect())
}

/// All pieces of the term, and the one that stands for the workspace.
fn full_text_query(owner: WorkspaceId, term: &str) -> String {
    let characters: Vec<char> = term.chars().collect();
    let pieces: BTreeSet<String> = characters.windows(PIECE).map(|piece| piece.iter().collect()).collect();
    let quoted = |piece: &str| format!("\"{}\"", piece.replace('"', "\"\""));
    let all: Vec<_> = std::iter::once(workspace_piece(owner)).chain(pieces).map(|piece| quoted(&piece)).collect();
    all.join(" AND ")
}

/// The number of the workspace in three digits of base 131068, as the triggers of the migration write it: the characters of
/// private use of the planes 15 and 16, without the two at the end of each that are no characters.
fn workspace_piece(owner: WorkspaceId) -> String {
    const BASE: i64 = 131_068;
    let digit = |number: i64| {
        let digit = number % BASE;
        let code = 0xF_0000 + digit + digit / 65_534 * 2;
        u32::try_from(code).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
    };
    [owner.number() / BASE / BASE, owner.number() / BASE, owner.number()].into_iter().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workspace_has_a_piece_of_its_own() {
        let piece = |number| workspace_piece(WorkspaceId::from_number(number));
        assert_eq!(piece(1), "\u{f0000}\u{f0000}\u{f0001}");
        assert_eq!(piece(65_533), "\u{f0000}\u{f0000}\u{ffffd}");
        assert_eq!(piece(65_534), "\u{f0000}\u{f0000}\u{100000}");
        assert_eq!(piece(131_067), "\u{f0000}\u{f0000}\u{10fffd}");
        assert_eq!(piece(131_068), "\u{f0000}\u{f0001}\u{f0000}");
        assert_eq!(piece(999_999_999_999_999).chars().count(), 3);
    }

    #[test]
    fn pieces_are_quoted() {
        let query = full_text_query(WorkspaceId::from_number(1), "a\"b*");
        assert_eq!(query, "\"\u{f0000}\u{f0000}\u{f0001}\" AND \"\"\"b*\" AND \"a\"\"b\"");
    }
}
