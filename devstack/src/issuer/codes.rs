//! Authorization codes, valid for one minute and one use (RFC 6749 §4.1.2).

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use shared_model::Timestamp;
use shared_runtime::Clock;

use crate::{keys, service_name::ServiceName};

const LIFETIME: Duration = Duration::from_secs(60);
// Far more than one person can request in a minute; bounds memory if a script loops.
const MAX: usize = 1000;

/// What was granted with a code.
#[derive(Clone, Debug)]
pub struct CodeGrant {
    /// The client that may redeem it.
    pub client_id: String,
    /// The name of an agent's client; `None`: the pages of the service.
    pub agent: Option<String>,
    pub redirect_uri: String,
    /// RFC 7636 §4.2, by S256.
    pub code_challenge: String,
    pub resource: String,
    pub service: ServiceName,
    pub subject: String,
    pub display_name: String,
    pub scope: String,
}

/// Codes issued and not yet used, each with its time of issue.
#[derive(Default)]
pub struct Codes(Mutex<HashMap<String, (Timestamp, CodeGrant)>>);

impl Codes {
    /// Issues a code; `None` if too many are open.
    pub fn make(&self, granted: CodeGrant) -> Option<String> {
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Clock::System.now();
        // Expired codes are removed here, so no background task is needed.
        codes.retain(|_, (made, _)| now < made.plus(LIFETIME));
        if codes.len() >= MAX {
            return None;
        }
        let code = keys::random_text();
        codes.insert(code.clone(), (now, granted));
        Some(code)
    }

    /// Redeems a code: a second call returns `None`.
    pub fn take(&self, code: &str) -> Option<CodeGrant> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(code);
        taken.filter(|(made, _)| Clock::System.now() < made.plus(LIFETIME)).map(|(_, granted)| granted)
    }
}
