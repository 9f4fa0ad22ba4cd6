//! The secrets that sign deliveries (Standard Webhooks). They are stored encrypted, and shown once.

use std::iter;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use ring::hmac;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use shared_model::{Error, Failure, Random, Timestamp};
use shared_runtime::{Answer, Context, base::encryption::Encryptor};

use super::{load_in_state, webhook::Webhook};
use crate::base::ids::WebhookId;

const PREFIX: &str = "whsec_";
/// The member of an answer that shows a secret.
pub const MEMBER: &str = "signing_secret";

#[derive(Clone, Debug)]
pub struct Secrets(Encryptor);

impl Secrets {
    pub fn from_context(context: &Context) -> Self {
        Self(Encryptor::new(&context.secret, "webhook secrets"))
    }

    /// A new encrypted secret.
    pub fn make(&self, webhook: WebhookId, random: &Random) -> String {
        let bytes = [random.bytes16(), random.bytes16()].concat();
        // With the id as associated data: the secret does not decrypt in the row of another webhook.
        self.0.encrypt(&SecretString::from(format!("{PREFIX}{}", BASE64_STANDARD.encode(bytes))), webhook.as_str())
    }

    /// `None` after a change of SERVICE_SECRET, which encrypts the secrets of webhooks.
    fn open(&self, webhook: WebhookId, encrypted: &str) -> Option<SecretString> {
        self.0.decrypt(encrypted, webhook.as_str())
    }

    /// Decrypts the secret in an answer. 409 if it is the repeated answer of a command from before a change of
    /// SERVICE_SECRET.
    // The idempotency record keeps the encrypted secret. Only the answer decrypts it; a lookup leaves it out.
    pub fn show<T>(&self, answer: Answer<T>, context: &Context) -> Result<Answer<T>, Error> {
        let mut unreadable = None;
        let shown = answer.map_payload(|payload| {
            let mut payload: Value = serde_json::from_str(payload)?;
            let id: Option<WebhookId> = payload["webhook"]["id"].as_str().and_then(|id| id.parse().ok());
            let (Some(id), Some(encrypted)) = (id, payload[MEMBER].as_str()) else {
                return Err(Failure::fault("an answer lacks the secret that it should show"));
            };
            match self.open(id, encrypted) {
                Some(secret) => payload[MEMBER] = secret.expose_secret().into(),
                None => unreadable = Some(id),
            }
            Ok(payload.to_string())
        })?;
        let Some(id) = unreadable else { return Ok(shown) };
        let why = "The secret that this command made can no longer be read: rotate the secret of the webhook.";
        Err(load_in_state::refused(context, id, why.to_owned()).into())
    }

    /// Signs with the current secret, and for a while with the previous one, too. `None` if the current one cannot be
    /// read; a previous one that cannot be read is left out.
    pub fn signer(&self, webhook: &Webhook, now: Timestamp) -> Option<Signer> {
        let current = self.key(webhook.id, &webhook.secret)?;
        let still_signs = webhook.old_secret_until.is_some_and(|until| now < until);
        let previous = webhook.old_secret.as_ref().filter(|_| still_signs);
        let previous = previous.and_then(|encrypted| self.key(webhook.id, encrypted));
        Some(Signer(iter::once(current).chain(previous).collect()))
    }

    fn key(&self, webhook: WebhookId, encrypted: &str) -> Option<hmac::Key> {
        let secret = self.open(webhook, encrypted)?;
        let bytes = BASE64_STANDARD.decode(secret.expose_secret().strip_prefix(PREFIX)?).ok()?;
        Some(hmac::Key::new(hmac::HMAC_SHA256, &bytes))
    }
}

/// Signs deliveries with one secret or two.
#[derive(Clone, Debug, Default)]
pub struct Signer(Vec<hmac::Key>);

impl Signer {
    /// The header `webhook-signature`.
    pub fn sign(&self, id: &str, second: i64, body: &str) -> String {
        let signed = format!("{id}.{second}.{body}");
        let signature = |key| format!("v1,{}", BASE64_STANDARD.encode(hmac::sign(key, signed.as_bytes())));
        self.0.iter().map(signature).collect::<Vec<_>>().join(" ")
    }
}
