//! The endpoint to probe, and the limits of a probe.

use std::time::Duration;

use secrecy::SecretString;
use shared_model::Failure;
use shared_runtime::base::encryption::Encryptor;

use crate::rooms::Room;

/// An OpenAI-compatible endpoint.
#[derive(Clone, Debug)]
pub struct ModelEndpoint {
    /// The URL that `/models` and `/chat/completions` are appended to.
    pub base_url: String,
    pub model: String,
    pub key: Option<SecretString>,
}

impl ModelEndpoint {
    /// The endpoint of a room's model, with the decrypted key. `None` when the room has no model.
    pub fn for_room(room: &Room, encryptor: &Encryptor) -> Result<Option<Self>, Failure> {
        let key = room.decrypt_model_key(encryptor)?;
        let model = room.model_base_url.clone().zip(room.model_name.clone());
        Ok(model.map(|(base_url, model)| Self { base_url, model, key }))
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ProbeLimits {
    /// For all requests together.
    pub total: Duration,
    /// For the list of models. Its answer is only measured.
    pub models: Duration,
    pub body_bytes: usize,
}

impl Default for ProbeLimits {
    fn default() -> Self {
        // They keep a hostile endpoint from occupying a worker.
        Self { total: Duration::from_secs(20), models: Duration::from_secs(5), body_bytes: 65_536 }
    }
}
