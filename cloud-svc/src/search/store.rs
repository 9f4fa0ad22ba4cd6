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
        store::{self, Filter, Names},
    },
    ids::{FileId, WorkspaceId},
};

/// Characters of a piece.
const PIECE: usize = 3;
/// Names that are looked up at a time at most.
const BATCH: i64 = 4_096;

/// The owner's active files whose name keys contain the term, newest first: at most `rows` that come after `after`.
pub fn search(
    conn: &mut Conn,
    owner: WorkspaceId,
    term: &str,
    filter: Filter<'_>,
    after: Option<FileId>,
    rows: i64,
) -> Result<Vec<File>, Failure> {
    let is_short = term.chars().nth(PIECE - 1).is_none();
    match conn {
        Conn::Postgres(_) => {
            let names = if is_short { Names::Containing(term) } else { Names::WithPieces(term) };
            store::list(conn, owner, Filter { names, ..filter }, after, rows)
        }
        Conn::Sqlite(_) if is_short => {
            store::list(conn, owner, Filter { names: Names::Containing(term), ..filter }, after, rows)
        }
        Conn::Sqlite(_) => by_pieces(conn, owner, term, filter, after, rows),
    }
}

/// On SQLite: takes candidates from the index, newest first, until enough of them are found to be what is asked for.
fn by_pieces(
    conn: &mut Conn,
    owner: WorkspaceId,
    term: &str,
    filter: Filter<'_>,
    after: Option<FileId>,
    rows: i64,
) -> Result<Vec<File>, Failure> {
    let query = full_text_query(owner, term);
    let mut below = after.map_or(i64::MAX, FileId::number);
    let (mut found, mut batch) = (Vec::new(), rows);
    loop {
        let candidates = candidates(conn, &query, below, batch)?;
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
    rowid: i64,
}

fn candidates(conn: &mut Conn, query: &str, below: i64, limit: i64) -> Result<Vec<i64>, Failure> {
    const SQL: &str = "SELECT rowid FROM file_names WHERE file_names MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?";
    let Conn::Sqlite(conn) = conn else { return Err(Failure::fault("the index of names is SQLite's")) };
    let query = sql_query(SQL).bind::<Text, _>(query).bind::<BigInt, _>(below).bind::<BigInt, _>(limit);
    let found: Vec<Candidate> = prepared(query).load(conn)?;
    Ok(found.into_iter().map(|candidate| candidate.rowid).collect())
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
