//! A room, as it is stored.

use diesel::prelude::*;
use secrecy::SecretString;
use shared_model::{Failure, Secret, Timestamp};
use shared_runtime::base::encryption::Encryptor;

use crate::{
    ids::{OrderId, RoomId},
    image_digest::ImageDigest,
    schema::rooms,
};

shared_model::text_enum! {
    /// The state of a room.
    pub enum RoomState {
        /// Being set up by its owner.
        Onboarding = "onboarding",
        /// In use.
        Active = "active",
        /// Stopped, for example until it is paid.
        Suspended = "suspended",
        /// Ended.
        Closed = "closed",
    }
}

impl RoomState {
    /// Whether the room may be worked with.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Onboarding | Self::Active)
    }
}

/// A row of `rooms`.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable, AsChangeset)]
#[diesel(table_name = rooms, treat_none_as_null = true)]
pub struct Room {
    /// The primary key.
    pub id: RoomId,
    /// The subject that it belongs to.
    pub owner: String,
    /// The state.
    pub state: RoomState,
    /// Counts the changes, from 1; 0 while only a subscription has named the room.
    pub version: i64,
    /// The image that the room is pinned to.
    pub image_digest: Option<ImageDigest>,
    /// The OpenAI-compatible endpoint of its model, without a slash at its end.
    pub model_base_url: Option<String>,
    /// The model's name there; set when `model_base_url` is.
    pub model_name: Option<String>,
    /// The key of the endpoint, encrypted; absent for an endpoint that needs none.
    pub model_key: Option<String>,
    /// An order that is placed and not paid yet.
    pub pending_order_id: Option<OrderId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When this version was made.
    pub updated_at: Timestamp,
}

/// Encrypts the keys of model endpoints under this service's secret.
pub fn key_encryptor(secret: &Secret) -> Encryptor {
    Encryptor::new(secret, "locker room model keys")
}

/// The associated data that a room's key is encrypted with: it does not decrypt in another room's row.
pub fn key_associated_data(room: RoomId) -> String {
    format!("{room} model_key")
}

impl Room {
    /// The key of its model's endpoint; a failure when it was encrypted under another secret.
    pub fn decrypt_model_key(&self, encryptor: &Encryptor) -> Result<Option<SecretString>, Failure> {
        let Some(encrypted) = &self.model_key else { return Ok(None) };
        let key = encryptor.decrypt(encrypted, &key_associated_data(self.id));
        let failure = || Failure::fault("the model key of a room does not decrypt: was SERVICE_SECRET changed?");
        key.ok_or_else(failure).map(Some)
    }
}
