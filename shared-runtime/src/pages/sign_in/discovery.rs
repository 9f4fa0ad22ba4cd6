//! Metadata of the issuer as an authorization server, fetched again after five minutes.

use std::time::Duration;

use shared_model::{Refusal, Timestamp, code};
use tokio::sync::Mutex;

use super::settings::SignInClient;
use crate::{
    context::Context,
    identity::authorization_server::{AuthorizationServer, Unreachable},
};

const METADATA_TTL: Duration = Duration::from_secs(300);
// Anybody can begin sign-ins, and a fetch can take seconds.
const FAILURE_TTL: Duration = Duration::from_secs(1);

/// The latest metadata; shared by all workers.
#[derive(Default)]
pub struct Discovery(Mutex<Latest>);

#[derive(Default)]
struct Latest {
    known: Option<(Timestamp, AuthorizationServer)>,
    /// When the last fetch failed, if it did.
    failed: Option<Timestamp>,
}

impl Discovery {
    /// 503 while it cannot be fetched.
    pub async fn metadata(
        &self,
        context: &Context,
        issuer: &str,
        client: &SignInClient,
    ) -> Result<AuthorizationServer, Refusal> {
        // Locked during the fetch: those who wait meanwhile get its outcome.
        let mut latest = self.0.lock().await;
        if let Some(outcome) = latest.outcome(context.clock.now()) {
            return outcome;
        }
        let fetched = AuthorizationServer::discover(issuer, client.internal.as_deref()).await;
        latest.keep(fetched, context.clock.now())
    }
}

impl Latest {
    /// The outcome of the last fetch; `None` if it is too old.
    fn outcome(&self, now: Timestamp) -> Option<Result<AuthorizationServer, Refusal>> {
        // A time in the future comes from a clock that was ahead.
        let is_recent = |at: Timestamp, span: Duration| at <= now && now < at.plus(span);
        match (&self.known, self.failed) {
            (Some((fetched, known)), _) if is_recent(*fetched, METADATA_TTL) => Some(Ok(known.clone())),
            (_, Some(failed)) if is_recent(failed, FAILURE_TTL) => Some(Err(unreachable())),
            _ => None,
        }
    }

    /// Logs the beginning and the end of an outage.
    fn keep(
        &mut self,
        fetched: Result<AuthorizationServer, Unreachable>,
        now: Timestamp,
    ) -> Result<AuthorizationServer, Refusal> {
        match fetched {
            Ok(found) => {
                if self.failed.take().is_some() {
                    tracing::info!("the issuer's metadata can be fetched again");
                }
                self.known = Some((now, found.clone()));
                Ok(found)
            }
            Err(cause) => {
                if self.failed.replace(now).is_none() {
                    tracing::warn!(cause, "the issuer's metadata cannot be fetched: nobody can sign in until it can");
                }
                Err(unreachable())
            }
        }
    }
}

/// 503.
pub fn unreachable() -> Refusal {
    code::AUTHORIZATION_SERVER_UNREACHABLE.because("The sign-in service cannot be reached right now.")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::state::db::tests::log::log_of;

    const NOW: Timestamp = Timestamp::from_seconds(1_000_000_000);
    const MOMENT: Duration = Duration::from_micros(1);

    fn server() -> AuthorizationServer {
        serde_json::from_value(json!({
            "issuer": "https://id.example",
            "authorization_endpoint": "https://id.example/authorize",
            "token_endpoint": "https://id.example/token",
        }))
        .expect("metadata")
    }

    #[test]
    fn an_outcome_is_kept_for_its_time_and_not_when_the_clock_is_set_back() {
        let outcomes: [(Result<_, Unreachable>, _); 2] =
            [(Ok(server()), METADATA_TTL), (Err("refused".into()), FAILURE_TTL)];
        for (fetched, span) in outcomes {
            let is_found = fetched.is_ok();
            let mut latest = Latest::default();
            assert_eq!(latest.keep(fetched, NOW).is_ok(), is_found);
            let kept = |now: Timestamp| latest.outcome(now).map(|outcome| outcome.is_ok());
            assert_eq!(kept(NOW), Some(is_found));
            assert_eq!(kept(NOW.plus(span).minus(MOMENT)), Some(is_found));
            assert_eq!(kept(NOW.plus(span)), None);
            assert_eq!(kept(NOW.minus(MOMENT)), None, "the clock was ahead");
        }
    }

    #[test]
    fn an_outage_is_logged_when_it_begins_and_when_it_ends() {
        let server = server();
        let mut latest = Latest::default();
        let mut now = NOW;
        let log = log_of(|| {
            for fetched in [None, None, Some(server.clone()), Some(server.clone()), None] {
                let is_found = fetched.is_some();
                let kept = latest.keep(fetched.ok_or_else(|| "refused".into()), now);
                assert_eq!(kept.is_ok(), is_found);
                now = now.plus(METADATA_TTL);
            }
        });
        let levels: Vec<_> = log.iter().filter_map(|line| line.split_whitespace().nth(1)).collect();
        assert_eq!(levels, ["WARN", "INFO", "WARN"], "{log:?}");
        assert!(log[0].contains("refused"), "{log:?}");
    }
}
