//! The public record of a signer: in the API, in the log, on the command line.

use serde::Serialize;
use shared_model::Timestamp;
use utoipa::ToSchema;

use super::Signer;
use crate::model::{EventKind, KeyId};

/// A signer: its key, what it may publish, from which origins and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SignerRecord {
    pub key_id: KeyId,
    /// The Ed25519 public key: padded base64 of its 32 bytes.
    #[schema(pattern = "^[A-Za-z0-9+/]{43}=$", example = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")]
    pub public_key: String,
    /// The kinds of event that it may publish.
    pub kinds: Vec<EventKind>,
    /// Prefixes of the market ids that it may publish for. `mkt_` allows all markets.
    #[schema(example = json!(["mkt_"]))]
    pub market_prefixes: Vec<String>,
    /// The values of the `Origin` header that it may publish from.
    #[schema(example = json!(["https://desk.example"]))]
    pub origins: Vec<String>,
    /// Whether it may publish without an `Origin` header.
    pub allow_absent_origin: bool,
    /// It may not publish before this time.
    pub active_from: Timestamp,
    /// The planned end: it may not publish from this time on.
    #[schema(required)]
    pub retires_at: Option<Timestamp>,
    /// When it was revoked because its key was lost or stolen.
    #[schema(required)]
    pub revoked_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

impl From<Signer> for SignerRecord {
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
