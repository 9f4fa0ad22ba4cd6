//! The closed list of what a check can come to.

shared_model::text_enum! {
    /// What a check of a model connection came to.
    pub enum Outcome {
        /// The model answered.
        Ok = "ok",
        /// The name has no address.
        DnsFailed = "dns_failed",
        /// The name has an address that is not public.
        AddressBlocked = "address_blocked",
        /// Nobody accepts connections there.
        ConnectFailed = "connect_failed",
        /// No TLS, or a certificate that is not to be trusted.
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
        /// The answer is none of a chat model.
        BadResponse = "bad_response",
        /// The answer is larger than 64 KiB.
        ResponseTooLarge = "response_too_large",
        /// The room's image is no longer the attested one that it was when the test was asked for.
        ImageChanged = "image_changed",
        /// The endpoint is written in a way that is never called.
        ConfigInvalid = "config_invalid",
    }
}
