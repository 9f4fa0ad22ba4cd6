//! Rooms: where an owner's package lives, which image it runs, and the model that it talks to.

mod import;
mod store;

use shared_model::{Failure, Secret, Timestamp};
use shared_runtime::base::encryption::{Hidden, Seal};

use crate::{
    ids::{OrderId, RoomId},
    image_digest::ImageDigest,
};

pub use import::{NewModel, NewRoom, Record, record};
pub use store::{find, find_owned, insert_bare, owner_of};

shared_model::text_enum! {
    /// Where a room stands.
    pub enum RoomState {
        /// Being set up by its owner.
        Onboarding = "onboarding",
        /// In use.
        Active = "active",
        /// Stopped, say until it is paid.
        Suspended = "suspended",
        /// Over.
        Closed = "closed",
    }
}

/// A room, as it is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// Its id.
    pub id: RoomId,
    /// The subject whose it is.
    pub owner: String,
    /// Where it stands.
    pub state: RoomState,
    /// Counts its changes, from 1; 0 while only a subscription has told of it.
    pub version: i64,
    /// The image that it is pinned to.
    pub image_digest: Option<ImageDigest>,
    /// The model that it talks to.
    pub model: Option<Model>,
    /// An order that is placed and not paid yet.
    pub pending_order_id: Option<OrderId>,
    /// When it came to be.
    pub created_at: Timestamp,
    /// When this version came to be.
    pub updated_at: Timestamp,
}

/// An OpenAI-compatible model endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// What `/models` and `/chat/completions` are appended to; no slash at its end.
    pub base_url: String,
    /// The model's name there.
    pub name: String,
    /// The key, sealed; none for an endpoint that wants none.
    pub sealed_key: Option<String>,
}

/// What seals the keys of model endpoints under this service's secret.
pub fn key_seal(secret: &Secret) -> Seal {
    Seal::of(secret, "locker room model keys")
}

/// The place that a room's key is sealed for.
fn key_place(room: RoomId) -> String {
    format!("{room} model_key")
}

impl Room {
    /// The key of its model, opened; a failure when it was sealed under another secret.
    pub fn model_key(&self, seal: &Seal) -> Result<Option<Hidden>, Failure> {
        let sealed = self.model.as_ref().and_then(|model| model.sealed_key.as_deref());
        let opened = sealed.map(|sealed| seal.open(sealed, &key_place(self.id)));
        match opened {
            Some(None) => Err(Failure::fault("the model key of a room does not open: was SERVICE_SECRET changed?")),
            Some(Some(key)) => Ok(Some(key)),
            None => Ok(None),
        }
    }
}
