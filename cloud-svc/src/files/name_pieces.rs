//! The pieces of names that the search uses: all runs of three and of five characters.
// A longer term is searched by pieces of five, because fewer names share them.

use std::fmt::Write as _;

use diesel::{
    RunQueryDsl as _, sql_query,
    sql_types::{BigInt, Text},
};
use shared_model::Failure;
use shared_runtime::{Conn, state::db::prepared};

use crate::base::ids::{FileId, WorkspaceId};

const SHORT: usize = 3;
const LONG: usize = 5;
// More pieces would hardly exclude another name.
const MOST: usize = 4;

// PostgreSQL computes its index from the row itself.
pub fn index(conn: &mut Conn, owner: WorkspaceId, id: FileId, name_key: &str) -> Result<(), Failure> {
    let Conn::Sqlite(conn) = conn else { return Ok(()) };
    // REPLACE, because a rename indexes the file again.
    let named = sql_query("INSERT OR REPLACE INTO file_names (rowid, pieces) VALUES (?, ?)").bind::<BigInt, _>(id);
    prepared(named.bind::<Text, _>(tokens(owner, name_key))).execute(conn)?;
    Ok(())
}

/// Pieces that each name with this term must have; empty if the term is too short.
pub fn of_term(term: &str) -> Vec<&str> {
    let places: Vec<usize> = term.char_indices().map(|(at, _)| at).chain([term.len()]).collect();
    let length = places.len() - 1;
    let size = if length < LONG { SHORT } else { LONG };
    let Some(last) = length.checked_sub(size) else { return Vec::new() };
    // Spread evenly from the beginning of the term to its end.
    let count = last.div_ceil(size).min(MOST - 1);
    let mut starts: Vec<usize> = (0..=count).map(|number| number * last / count.max(1)).collect();
    starts.dedup();
    starts.into_iter().map(|start| &term[places[start]..places[start + size]]).collect()
}

/// The FTS5 query for names with all of these pieces.
pub fn full_text_query(owner: WorkspaceId, pieces: &[&str]) -> String {
    let mut query = String::new();
    for piece in pieces {
        query.push_str(if query.is_empty() { "" } else { " AND " });
        push_token(&mut query, owner, piece, if piece.chars().count() == SHORT { SHORT } else { LONG });
    }
    query
}

/// All pieces of a name, as text for the index.
fn tokens(owner: WorkspaceId, name_key: &str) -> String {
    let places: Vec<usize> = name_key.char_indices().map(|(at, _)| at).chain([name_key.len()]).collect();
    let mut tokens = String::with_capacity(places.len() * 24);
    for size in [SHORT, LONG] {
        for ends in places.windows(size + 1) {
            push_token(&mut tokens, owner, &name_key[ends[0]..ends[size]], size);
            tokens.push(' ');
        }
    }
    tokens
}

// A token has only letters and digits, so that FTS5 does not split it. It is the number of the workspace, a letter for
// the size, and the bytes in hexadecimal. With the number, a search meets only names of its own workspace.
fn push_token(text: &mut String, owner: WorkspaceId, piece: &str, size: usize) {
    let letter = if size == SHORT { 's' } else { 'l' };
    write!(text, "{}{letter}{}", owner.number(), hex::encode(piece)).expect("a string takes all");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OWNER: WorkspaceId = WorkspaceId::from_number(7);

    #[test]
    fn a_term_has_pieces_from_its_beginning_to_its_end() {
        assert_eq!(of_term("ab"), [""; 0]);
        assert_eq!(of_term("abc"), ["abc"]);
        assert_eq!(of_term("abcd"), ["abc", "bcd"]);
        assert_eq!(of_term("abcde"), ["abcde"]);
        assert_eq!(of_term("会議abcd"), ["会議abc", "議abcd"]);
        assert_eq!(of_term("abcdefghijklmnopqrstuvwxyz"), ["abcde", "hijkl", "opqrs", "vwxyz"]);
    }

    #[test]
    fn a_name_is_all_of_its_pieces() {
        assert_eq!(tokens(OWNER, "ab"), "");
        assert_eq!(tokens(OWNER, "a \"é"), "7s612022 7s2022c3a9 ");
        assert_eq!(tokens(OWNER, "abcde"), "7s616263 7s626364 7s636465 7l6162636465 ");
        assert_eq!(full_text_query(OWNER, &["abcde", "bcdef"]), "7l6162636465 AND 7l6263646566");
    }

    proptest! {
        #[test]
        fn a_name_has_the_pieces_of_every_part_of_it(name in "\\PC{0,30}", start in 0usize..30, length in 0usize..30) {
            let term: String = name.chars().skip(start).take(length).collect();
            let tokens = tokens(OWNER, &name);
            for piece in of_term(&term) {
                let token = full_text_query(OWNER, &[piece]);
                prop_assert!(tokens.split(' ').any(|other| other == token), "{token} of {term:?} in {tokens}");
            }
        }
    }
}
