//! What is known of the issuer as an authorization server; asked for again after five minutes.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use shared_model::{Refusal, Timestamp, code};

use crate::{context::Context, identity::authorization_server::AuthorizationServer};

const KEPT: Duration = Duration::from_secs(300);

/// The metadata that was fetched last; in every app.
#[derive(Default)]
pub struct Discovery(Mutex<Option<(Timestamp, AuthorizationServer)>>);

impl Discovery {
    /// The metadata of this issuer; 503 while it cannot be had.
    pub async fn of(&self, context: &Context, issuer: &str) -> Result<AuthorizationServer, Refusal> {
        let now = context.clock.now();
        if let Some((fetched, known)) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner)
            && now < fetched.plus(KEPT)
        {
            return Ok(known.clone());
        }
        let found = AuthorizationServer::discover(issuer).await.map_err(|cause| {
            tracing::warn!(cause, "the issuer's metadata cannot be had: nobody can sign in");
            unreachable()
        })?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, found.clone()));
        Ok(found)
    }
}

/// 503: the issuer does not answer as it should.
pub fn unreachable() -> Refusal {
    code::AUTHORIZATION_SERVER_UNREACHABLE.because("Whoever signs people in cannot be reached right now.")
}
