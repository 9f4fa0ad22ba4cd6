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

pub fn all(conn: &mut Conn, file: FileId) -> Result<HashSet<String>, Failure> {
    let of_file = gone_parts::table.filter(gone_parts::file_id.eq(file)).select(gone_parts::part_id);
    let ids: Vec<String> = on_each!(conn, |c| of_file.load(c))?;
    Ok(ids.into_iter().collect())
}
