//! Metadata of the issuer as an authorization server, fetched again after five minutes.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use shared_model::{Refusal, Timestamp, code};

use super::settings::SignInClient;
use crate::{context::Context, identity::authorization_server::AuthorizationServer};

const METADATA_TTL: Duration = Duration::from_secs(300);

/// The latest metadata; shared by all workers.
#[derive(Default)]
pub struct Discovery(Mutex<Option<(Timestamp, AuthorizationServer)>>);

impl Discovery {
    /// 503 while it cannot be fetched.
    pub async fn metadata(
        &self,
        context: &Context,
        issuer: &str,
        client: &SignInClient,
    ) -> Result<AuthorizationServer, Refusal> {
        let now = context.clock.now();
        if let Some((fetched, known)) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner)
            && now < fetched.plus(METADATA_TTL)
        {
            return Ok(known.clone());
        }
        // The lock is not held meanwhile: two workers may fetch at the same time, which does no harm.
        let found = AuthorizationServer::discover(issuer, client.internal.as_deref()).await.map_err(|cause| {
            tracing::warn!(cause, "the issuer's metadata cannot be fetched: nobody can sign in");
            unreachable()
        })?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, found.clone()));
        Ok(found)
    }
}

/// 503.
pub fn unreachable() -> Refusal {
    code::AUTHORIZATION_SERVER_UNREACHABLE.because("The sign-in service cannot be reached right now.")
}
