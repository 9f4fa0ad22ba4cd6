//! Authorization codes: each good for a minute, and once (RFC 6749 §4.1.2).

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use shared_model::Timestamp;
use shared_runtime::Clock;

use crate::{keys, surfaces::SurfaceName};

const LIFETIME: Duration = Duration::from_secs(60);
/// As many as a stack's few people can want in a minute.
const MAX: usize = 1000;

/// What a code stands for.
#[derive(Clone, Debug)]
pub struct Granted {
    /// To whom it was sent.
    pub redirect_uri: String,
    /// RFC 7636 §4.2, by S256.
    pub code_challenge: String,
    /// What the token is for.
    pub resource: String,
    /// The service there.
    pub surface: SurfaceName,
    /// Who has signed in.
    pub subject: String,
    /// What they are called.
    pub display_name: String,
    /// What the token allows.
    pub scope: String,
}

/// The codes that are out.
#[derive(Default)]
pub struct Codes(Mutex<HashMap<String, (Timestamp, Granted)>>);

impl Codes {
    /// A code for this; `None` while too many are out.
    pub fn make(&self, granted: Granted) -> Option<String> {
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Clock::System.now();
        codes.retain(|_, (made, _)| now < made.plus(LIFETIME));
        if codes.len() >= MAX {
            return None;
        }
        let code = keys::random_text();
        codes.insert(code.clone(), (now, granted));
        Some(code)
    }

    /// What a code stands for; it is used up.
    pub fn take(&self, code: &str) -> Option<Granted> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(code);
        taken.filter(|(made, _)| Clock::System.now() < made.plus(LIFETIME)).map(|(_, granted)| granted)
    }
}
