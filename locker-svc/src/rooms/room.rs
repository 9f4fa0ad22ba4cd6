//! A room: its row, its queries, and the encryption of its model key.

use diesel::prelude::*;
use secrecy::SecretString;
use shared_model::{Failure, Secret, Timestamp};
use shared_runtime::{Conn, base::encryption::Encryptor};

use crate::{
    ids::{OrderId, RoomId},
    image_digest::ImageDigest,
    tables::rooms,
};

shared_model::text_enum! {
    /// The state of a room.
    pub enum RoomState {
        /// Its owner is setting it up.
        Onboarding = "onboarding",
        Active = "active",
        /// Stopped, for example until it is paid for.
        Suspended = "suspended",
        Closed = "closed",
    }
}

impl RoomState {
    /// Whether tests and other work on the room are allowed.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Onboarding | Self::Active)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable, AsChangeset)]
#[diesel(table_name = rooms, treat_none_as_null = true)]
pub struct Room {
    pub id: RoomId,
    /// The `sub` of the tokens that may use it.
    pub owner: String,
    pub state: RoomState,
    /// Counts the changes, from 1. 0 for a placeholder that only a subscription has named.
    pub version: i64,
    /// The image that the room is pinned to.
    pub image_digest: Option<ImageDigest>,
    /// The OpenAI-compatible endpoint of its model, without a trailing slash.
    pub model_base_url: Option<String>,
    /// Set exactly when `model_base_url` is.
    pub model_name: Option<String>,
    /// The endpoint's key, encrypted; `None` for an endpoint without a key.
    pub model_key: Option<String>,
    /// An order that is placed and not paid yet.
    pub pending_order_id: Option<OrderId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Encrypts model keys under this service's secret.
pub fn key_encryptor(secret: &Secret) -> Encryptor {
    Encryptor::new(secret, "locker room model keys")
}

// The id of the room is part of the encryption. A key that is copied to another room's row does not decrypt there.
pub fn key_associated_data(room: RoomId) -> String {
    format!("{room} model_key")
}

impl Room {
    /// The decrypted model key. Fails when it was encrypted under another secret.
    pub fn decrypt_model_key(&self, encryptor: &Encryptor) -> Result<Option<SecretString>, Failure> {
        let Some(encrypted) = &self.model_key else { return Ok(None) };
        let key = encryptor.decrypt(encrypted, &key_associated_data(self.id));
        let failure = || Failure::fault("the model key of a room does not decrypt: was SERVICE_SECRET changed?");
        key.ok_or_else(failure).map(Some)
    }
}

pub fn find_owned(conn: &mut Conn, owner: &str, room: RoomId) -> Result<Option<Room>, Failure> {
    Ok(rooms::table.find(room).filter(rooms::owner.eq(owner)).first(conn).optional()?)
}

/// At most `limit` rooms, the newest first. A placeholder is left out: nothing of it is known yet.
pub fn list_owned(conn: &mut Conn, owner: &str, limit: i64) -> Result<Vec<Room>, Failure> {
    let own = rooms::table.filter(rooms::owner.eq(owner)).filter(rooms::version.gt(0));
    Ok(own.order((rooms::created_at.desc(), rooms::id.desc())).limit(limit).load(conn)?)
}

/// Finds a room of any owner. For the importer, and for work that the room's owner has requested.
pub fn find(conn: &mut Conn, room: RoomId) -> Result<Option<Room>, Failure> {
    Ok(rooms::table.find(room).first(conn).optional()?)
}

pub fn find_owner(conn: &mut Conn, room: RoomId) -> Result<Option<String>, Failure> {
    Ok(rooms::table.find(room).select(rooms::owner).first(conn).optional()?)
}

/// Inserts a room in version 0, of which only the owner is known, until it is imported itself.
pub fn insert_placeholder(conn: &mut Conn, room: RoomId, owner: &str) -> Result<(), Failure> {
    // Billing and rooms are exported separately, so a subscription may be imported before its room.
    diesel::insert_into(rooms::table).values((rooms::id.eq(room), rooms::owner.eq(owner))).execute(conn)?;
    Ok(())
}

pub fn insert(conn: &mut Conn, room: Room) -> Result<(), Failure> {
    diesel::insert_into(rooms::table).values(room).execute(conn)?;
    Ok(())
}

/// Overwrites the stored version.
pub fn replace(conn: &mut Conn, room: Room) -> Result<(), Failure> {
    diesel::update(rooms::table.find(room.id)).set(room).execute(conn)?;
    Ok(())
}
