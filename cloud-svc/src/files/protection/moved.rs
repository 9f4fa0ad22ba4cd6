//! Moves protected places together with their cells: when a plan is applied, and back when a version is restored.

use diesel::prelude::*;
use shared_model::{Failure, json_column::Json};
use shared_runtime::{Conn, on_each};

use super::store::{self, Protection};
use crate::base::{
    ids::{FileId, VersionId},
    tables::moved_protection,
};
use cloud_content::{anchor::Anchor, content::Content};

/// Moves the places as the operations of a plan, which has just been applied, move their cells. Versions up to `until`
/// keep the places `before`.
pub fn shift<C: Content>(
    conn: &mut Conn,
    (file, until): (FileId, VersionId),
    before: Protection,
    operations: &[C::Operation],
) -> Result<(), Failure> {
    let moved = before.places.iter().map(|place| C::shift_anchor(operations, place.clone()));
    let later = Protection { places: moved.collect(), ..before.clone() };
    move_to(conn, (file, until), &before, &later)
}

/// Moves the places back to where they were in the version `earlier`. `until` is the current version before the restore.
pub fn return_to(conn: &mut Conn, file: FileId, earlier: VersionId, until: VersionId) -> Result<(), Failure> {
    // The first places that the file left since `earlier` are those that it had in `earlier`.
    let left = moved_protection::table
        .filter(moved_protection::file_id.eq(file).and(moved_protection::version_id.ge(earlier)))
        .order(moved_protection::version_id)
        .select(moved_protection::places);
    let left: Option<Json<Vec<Anchor>>> = on_each!(conn, |c| left.first(c).optional())?;
    match (left, store::find(conn, file)?) {
        (Some(Json(places)), Some(now)) => move_to(conn, (file, until), &now, &Protection { places, ..now.clone() }),
        _ => Ok(()),
    }
}

/// Before the places `later` are protected in place of those `now`: keeps where those were that stay. The others were
/// nowhere else before.
pub fn keep(conn: &mut Conn, file: FileId, now: &[Anchor], later: &[Anchor]) -> Result<(), Failure> {
    let of_file = moved_protection::table.filter(moved_protection::file_id.eq(file));
    if !later.iter().any(|place| now.contains(place)) {
        on_each!(conn, |c| diesel::delete(of_file).execute(c))?;
        return Ok(());
    }
    let rows = of_file.select((moved_protection::version_id, moved_protection::places));
    let rows: Vec<(VersionId, Json<Vec<Anchor>>)> = on_each!(conn, |c| rows.load(c))?;
    for (version, Json(then)) in rows {
        // Each list has the order of the one that followed it.
        let index = |place: &Anchor| now.iter().position(|one| one == place);
        let was = |place: &Anchor| index(place).and_then(|index| then.get(index)).unwrap_or(place).clone();
        let places = serde_json::to_string(&later.iter().map(was).collect::<Vec<_>>())?;
        let row = moved_protection::table.find((file, version));
        let update = diesel::update(row).set(moved_protection::places.eq(places));
        on_each!(conn, |c| update.execute(c))?;
    }
    Ok(())
}

fn move_to(
    conn: &mut Conn,
    (file, until): (FileId, VersionId),
    before: &Protection,
    later: &Protection,
) -> Result<(), Failure> {
    if later == before {
        return Ok(());
    }
    let places = serde_json::to_string(&before.places)?;
    let row = (
        moved_protection::file_id.eq(file),
        moved_protection::version_id.eq(until),
        moved_protection::places.eq(places),
    );
    // A version is current once, so it has one row. People may protect other places while it is.
    let insert = diesel::insert_into(moved_protection::table).values(row);
    on_each!(conn, |c| insert.on_conflict_do_nothing().execute(c))?;
    store::set(conn, file, Some(later))
}
