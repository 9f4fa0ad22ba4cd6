//! The secrets that sign deliveries (Standard Webhooks). They are stored encrypted, and shown once.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use ring::hmac;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use shared_model::{Failure, Random, Timestamp};
use shared_runtime::{Context, base::encryption::Encryptor};

use super::webhook::Webhook;
use crate::base::ids::WebhookId;

const PREFIX: &str = "whsec_";

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

    fn open(&self, webhook: WebhookId, encrypted: &str) -> Result<SecretString, Failure> {
        let secret = self.0.decrypt(encrypted, webhook.as_str());
        secret.ok_or_else(|| Failure::fault("the secret of a webhook does not decrypt"))
    }

    // The idempotency record keeps the encrypted secret; it is decrypted only in the answer.
    pub fn show(&self, payload: &str) -> Result<String, Failure> {
        let mut payload: Value = serde_json::from_str(payload)?;
        let id = payload["webhook"]["id"].as_str().and_then(|id| id.parse().ok());
        let (Some(id), Some(encrypted)) = (id, payload["signing_secret"].as_str()) else {
            return Err(Failure::fault("an answer lacks the secret that it should show"));
        };
        payload["signing_secret"] = self.open(id, encrypted)?.expose_secret().into();
        Ok(payload.to_string())
    }

    /// Signs with the current secret, and for a while with the previous one, too.
    pub fn signer(&self, webhook: &Webhook, now: Timestamp) -> Result<Signer, Failure> {
        let mut keys = vec![key(&self.open(webhook.id, &webhook.secret)?)?];
        if let (Some(old), Some(until)) = (&webhook.old_secret, webhook.old_secret_until)
            && now < until
        {
            keys.push(key(&self.open(webhook.id, old)?)?);
        }
        Ok(Signer(keys))
    }
}

fn key(secret: &SecretString) -> Result<hmac::Key, Failure> {
    let encoded = secret.expose_secret().strip_prefix(PREFIX);
    let bytes = encoded.and_then(|encoded| BASE64_STANDARD.decode(encoded).ok());
    let bytes = bytes.ok_or_else(|| Failure::fault("a stored secret of a webhook is malformed"))?;
    Ok(hmac::Key::new(hmac::HMAC_SHA256, &bytes))
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
