//! `GET /v1/receipts/keys`: the public keys that verify receipts.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use cloud_receipts::signer::Signer;
use serde::{Deserialize, Serialize};
use shared_model::{Error, Timestamp};
use shared_runtime::{Answer, Anyone, Context, State};
use utoipa::ToSchema;

use super::store;

/// A public key.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReceiptKey {
    /// The first 16 bytes of the key's SHA-256, in hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{32}$", example = "0123456789abcdef0123456789abcdef")]
    pub key_id: String,
    /// The 32 bytes of an Ed25519 key, as base64.
    #[schema(pattern = "^[A-Za-z0-9+/]{43}=$", example = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")]
    pub public_key: String,
    /// When the service first had this key.
    pub first_used_at: Timestamp,
    /// Whether new receipts are signed with it.
    pub is_current: bool,
}

#[derive(Serialize, Deserialize, ToSchema)]
pub struct KeysAnswer {
    /// Newest first.
    pub keys: Vec<ReceiptKey>,
}

// Public: a receipt is verified by people who have no grant.
pub async fn list(_: Anyone, context: Context, State(signer): State<Signer>) -> Result<Answer<KeysAnswer>, Error> {
    let found = context.look_up(|conn| Ok(store::keys(conn)?)).await?;
    Ok(Answer::ok(&KeysAnswer { keys: records(found, &signer) })?)
}

pub fn records(found: Vec<(String, Vec<u8>, Timestamp)>, signer: &Signer) -> Vec<ReceiptKey> {
    let key = |(key_id, public_key, first_used_at): (String, Vec<u8>, Timestamp)| ReceiptKey {
        is_current: key_id == signer.key_id(),
        key_id,
        public_key: BASE64_STANDARD.encode(public_key),
        first_used_at,
    };
    found.into_iter().map(key).collect()
}
