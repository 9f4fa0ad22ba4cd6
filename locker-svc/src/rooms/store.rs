//! Stores rooms.

use diesel::prelude::*;
use shared_model::Failure;
use shared_runtime::Conn;

use super::room::Room;
use crate::{ids::RoomId, schema::rooms};

/// A room of this owner.
pub fn find_owned(conn: &mut Conn, owner: &str, room: RoomId) -> Result<Option<Room>, Failure> {
    Ok(rooms::table.find(room).filter(rooms::owner.eq(owner)).first(conn).optional()?)
}

/// A room of any owner: for the importer, and for work that its owner has asked for.
pub fn find(conn: &mut Conn, room: RoomId) -> Result<Option<Room>, Failure> {
    Ok(rooms::table.find(room).first(conn).optional()?)
}

/// The owner of a room.
pub fn owner_of(conn: &mut Conn, room: RoomId) -> Result<Option<String>, Failure> {
    Ok(rooms::table.find(room).select(rooms::owner).first(conn).optional()?)
}

/// Inserts a room of which only the owner is known, in version 0, until it is imported itself.
pub fn insert_bare(conn: &mut Conn, room: RoomId, owner: &str) -> Result<(), Failure> {
    diesel::insert_into(rooms::table).values((rooms::id.eq(room), rooms::owner.eq(owner))).execute(conn)?;
    Ok(())
}

/// Inserts a room.
pub fn insert(conn: &mut Conn, room: Room) -> Result<(), Failure> {
    diesel::insert_into(rooms::table).values(room).execute(conn)?;
    Ok(())
}

/// Updates a room to another version.
pub fn replace(conn: &mut Conn, room: Room) -> Result<(), Failure> {
    diesel::update(rooms::table.find(room.id)).set(room).execute(conn)?;
    Ok(())
}
