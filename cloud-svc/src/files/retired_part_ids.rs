//! Ids of deleted parts of a file. They are never used again: an old comment would move to another part.

use std::collections::HashSet;

use diesel::prelude::*;
use shared_model::Failure;
use shared_runtime::{Conn, on_each};

use crate::base::{id_list::ROWS_TOGETHER, ids::FileId, tables::gone_parts};
use cloud_content::part_id::PartId;

pub fn insert<'a>(conn: &mut Conn, gone: impl Iterator<Item = (FileId, &'a PartId)>) -> Result<(), Failure> {
    let row = |(file, id): (FileId, &'a PartId)| (gone_parts::file_id.eq(file), gone_parts::part_id.eq(id.as_str()));
    let rows: Vec<_> = gone.map(row).collect();
    for rows in rows.chunks(ROWS_TOGETHER) {
        on_each!(conn, |c| diesel::insert_into(gone_parts::table).values(rows).on_conflict_do_nothing().execute(c))?;
    }
    Ok(())
}

/// Those of these ids that a part of the file once had.
// Does not load all ids of the file: it can have lost hundreds of thousands of parts.
pub fn among<'a>(
    conn: &mut Conn,
    file: FileId,
    ids: impl IntoIterator<Item = &'a str>,
) -> Result<HashSet<String>, Failure> {
    let ids: Vec<&str> = ids.into_iter().collect();
    let mut retired = HashSet::new();
    for some in ids.chunks(ROWS_TOGETHER) {
        let found: Vec<String> = on_each!(conn, |c| gone_parts::table
            .filter(gone_parts::file_id.eq(file).and(gone_parts::part_id.eq_any(some.iter().copied())))
            .select(gone_parts::part_id)
            .load(c))?;
        retired.extend(found);
    }
    Ok(retired)
}

/// [`among`] the ids that operations bring; `operations` is their JSON without spaces.
pub fn among_those_of(conn: &mut Conn, file: FileId, operations: &str) -> Result<HashSet<String>, Failure> {
    among(conn, file, ids_in(operations))
}

/// The texts of all members `id`.
fn ids_in(json: &str) -> impl Iterator<Item = &str> {
    // Within a text, each quote has a backslash before it.
    json.split(r#""id":""#).skip(1).filter_map(|rest| rest.split('"').next())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::ids_in;

    #[test]
    fn every_id_of_a_new_part_is_found_and_no_text() {
        let operations = json!([
            {"op": "insert_block", "block": {"id": "b1", "segments": [{"text": r#""id":"text""#}]}, "after_id": "a"},
            {"op": "insert_page", "page": {"id": "p", "elements": [{"id": "e1", "text": "\\\"id"}, {"id": "e2"}]}},
            {"op": "delete_block", "block_id": "gone"},
        ]);
        let json = operations.to_string();
        assert_eq!(ids_in(&json).collect::<BTreeSet<_>>(), ["b1", "e1", "e2", "p"].into());
    }
}
