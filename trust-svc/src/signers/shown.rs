//! A signer as everyone sees it: whoever checks an event finds here whose key signed it, and what it could sign.

use serde::Serialize;
use shared_model::Timestamp;
use utoipa::ToSchema;

use super::{KeyId, Signer};
use crate::events::EventKind;

/// A signer, what it may publish, from where and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ShownSigner {
    /// The name of its key.
    pub key_id: KeyId,
    /// Its Ed25519 key: base64 of the 32 bytes.
    #[schema(pattern = "^[A-Za-z0-9+/]{43}=$", example = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")]
    pub public_key: String,
    /// Kinds of event that it may publish.
    pub kinds: Vec<EventKind>,
    /// What the ids of its markets begin with, `mkt_` for all.
    #[schema(example = json!(["mkt_"]))]
    pub market_prefixes: Vec<String>,
    /// Values of the `Origin` header that it publishes from.
    #[schema(example = json!(["https://desk.example"]))]
    pub origins: Vec<String>,
    /// Whether it publishes without an `Origin` header too.
    pub allow_absent_origin: bool,
    /// From when it may publish.
    pub active_from: Timestamp,
    /// From when it no longer may, as planned.
    #[schema(required)]
    pub retires_at: Option<Timestamp>,
    /// Since when it no longer may, because its key is lost or stolen.
    #[schema(required)]
    pub revoked_at: Option<Timestamp>,
    /// When it was registered.
    pub created_at: Timestamp,
}

impl From<Signer> for ShownSigner {
    fn from(signer: Signer) -> Self {
        let Signer { key_id, public_key, policy, active_from, retires_at, revoked_at, created_at } = signer;
        Self {
            key_id,
            public_key: public_key.to_string(),
            kinds: policy.kinds,
            market_prefixes: policy.market_prefixes,
            origins: policy.origins,
            allow_absent_origin: policy.allow_absent_origin,
            active_from,
            retires_at,
            revoked_at,
            created_at,
        }
    }
}
