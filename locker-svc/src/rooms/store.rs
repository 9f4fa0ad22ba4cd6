//! Where rooms rest.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::Conn;

use super::{Model, Room, RoomState};
use crate::{
    ids::{OrderId, RoomId},
    image_digest::ImageDigest,
    schema::rooms,
};

#[derive(Queryable, Insertable, AsChangeset)]
#[diesel(table_name = rooms, treat_none_as_null = true)]
struct Row {
    id: RoomId,
    owner: String,
    state: RoomState,
    version: i64,
    image_digest: Option<ImageDigest>,
    model_base_url: Option<String>,
    model_name: Option<String>,
    model_key: Option<String>,
    pending_order_id: Option<OrderId>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl Row {
    fn of(room: &Room) -> Self {
        let model = room.model.as_ref();
        Self {
            id: room.id,
            owner: room.owner.clone(),
            state: room.state,
            version: room.version,
            image_digest: room.image_digest.clone(),
            model_base_url: model.map(|model| model.base_url.clone()),
            model_name: model.map(|model| model.name.clone()),
            model_key: model.and_then(|model| model.sealed_key.clone()),
            pending_order_id: room.pending_order_id,
            created_at: room.created_at,
            updated_at: room.updated_at,
        }
    }

    fn into_room(self) -> Room {
        let named = self.model_base_url.zip(self.model_name);
        Room {
            id: self.id,
            owner: self.owner,
            state: self.state,
            version: self.version,
            image_digest: self.image_digest,
            model: named.map(|(base_url, name)| Model { base_url, name, sealed_key: self.model_key }),
            pending_order_id: self.pending_order_id,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

/// The room, when it is this owner's.
pub fn find_owned(conn: &mut Conn, owner: &str, room: RoomId) -> Result<Option<Room>, Failure> {
    let found = rooms::table.find(room).filter(rooms::owner.eq(owner)).first::<Row>(conn).optional()?;
    Ok(found.map(Row::into_room))
}

/// The room, whosever it is: for the importer, and for work that its owner has asked for.
pub fn find(conn: &mut Conn, room: RoomId) -> Result<Option<Room>, Failure> {
    Ok(rooms::table.find(room).first::<Row>(conn).optional()?.map(Row::into_room))
}

/// Whom a room belongs to.
pub fn owner_of(conn: &mut Conn, room: RoomId) -> QueryResult<Option<String>> {
    rooms::table.find(room).select(rooms::owner).first(conn).optional()
}

/// Records of a room no more than that it is there, and whose: version 0, until it is imported itself.
pub fn insert_bare(conn: &mut Conn, room: RoomId, owner: &str) -> QueryResult<()> {
    diesel::insert_into(rooms::table).values((rooms::id.eq(room), rooms::owner.eq(owner))).execute(conn)?;
    Ok(())
}

/// Records a room that is not there yet.
pub(super) fn insert(conn: &mut Conn, room: &Room) -> Result<(), Failure> {
    diesel::insert_into(rooms::table).values(Row::of(room)).execute(conn)?;
    Ok(())
}

/// Puts a version in the place of the recorded one.
pub(super) fn replace(conn: &mut Conn, room: &Room) -> Result<(), Failure> {
    diesel::update(rooms::table.find(room.id)).set(Row::of(room)).execute(conn)?;
    Ok(())
}
