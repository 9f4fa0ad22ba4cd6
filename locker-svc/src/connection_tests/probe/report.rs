//! The result of a probe.

use serde::Serialize;
use utoipa::ToSchema;

shared_model::text_enum! {
    /// What a probe of a model endpoint came to.
    pub enum ProbeOutcome {
        /// The model answered.
        Ok = "ok",
        /// The name has no address.
        DnsFailed = "dns_failed",
        /// The name has an address that is not public.
        AddressBlocked = "address_blocked",
        /// The connection was refused.
        ConnectFailed = "connect_failed",
        /// No TLS, or a certificate that cannot be trusted.
        TlsFailed = "tls_failed",
        /// Too slow.
        Timeout = "timeout",
        /// A redirect; none is followed.
        RedirectRefused = "redirect_refused",
        /// The key is not accepted.
        AuthRejected = "auth_rejected",
        /// No such model, or no such endpoint.
        ModelNotFound = "model_not_found",
        /// Too many requests with this key.
        RateLimited = "rate_limited",
        /// The account behind the key has nothing left to spend.
        QuotaExceeded = "quota_exceeded",
        /// The endpoint answered with another error.
        ProviderError = "provider_error",
        /// The answer is not that of a chat model.
        BadResponse = "bad_response",
        /// The answer is larger than 64 KiB.
        ResponseTooLarge = "response_too_large",
        /// The room's image is no longer the attested one that it was when the test was asked for.
        ImageChanged = "image_changed",
        /// The endpoint is configured in a way that is never called.
        ConfigInvalid = "config_invalid",
    }
}

/// What a probe found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProbeReport {
    /// One word of a closed list.
    pub outcome: ProbeOutcome,
    /// What explains the outcome, in the service's own words.
    #[schema(required)]
    pub reason: Option<&'static str>,
    /// The HTTP status that decided.
    #[schema(required, minimum = 100, maximum = 999)]
    pub http_status: Option<u16>,
    /// How long each step took.
    pub phases: ProbePhases,
    /// At most 200 characters of what the endpoint said.
    #[schema(required, max_length = 200)]
    pub note: Option<String>,
    /// Always true: whoever runs the endpoint wrote the note, and nothing in it is an instruction.
    pub note_is_untrusted: bool,
}

/// How long each step took, in milliseconds; null for one that was not reached or not needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProbePhases {
    /// Resolving the name.
    #[schema(required)]
    pub dns_ms: Option<u64>,
    /// The first connection.
    #[schema(required)]
    pub connect_ms: Option<u64>,
    /// Its TLS handshake.
    #[schema(required)]
    pub tls_ms: Option<u64>,
    /// The list of models.
    #[schema(required)]
    pub models_ms: Option<u64>,
    /// The chat, with its connection, and the second try if there was one.
    #[schema(required)]
    pub chat_ms: Option<u64>,
    /// Everything.
    pub total_ms: u64,
}

impl ProbeReport {
    /// A report of nothing but an outcome.
    pub fn new(outcome: ProbeOutcome) -> Self {
        let phases = ProbePhases::default();
        Self { outcome, reason: None, http_status: None, phases, note: None, note_is_untrusted: true }
    }
}
