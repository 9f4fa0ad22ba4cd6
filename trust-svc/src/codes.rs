//! The error codes of this service, in addition to the shared ones. A name never changes.

#[rustfmt::skip]
shared_model::code_table! {
    SIGNATURE_MISSING     = "signature_missing",     401, CorrectOne("", "must have the member \"signature\""), "A published event must be signed; the body has no signature.";
    UNKNOWN_SIGNER        = "unknown_signer",        401, CorrectOne("/signer_key_id", "must be the key id of a signer"), "There is no signer with this key id.";
    SIGNATURE_INVALID     = "signature_invalid",     401, CorrectOne("/signature", "must be made with the signer's key over the signing text of this event"), "The signature is not valid for this signer and this event.";
    ORIGIN_DENIED         = "origin_denied",         403, ContactSupport, "This signer may not publish from this Origin.";
    SIGNER_NOT_ACTIVE     = "signer_not_active",     403, ContactSupport, "The signer is not active yet, or is retired or revoked.";
    SIGNER_NOT_ALLOWED    = "signer_not_allowed",    403, ContactSupport, "The signer may not publish this kind of event, or may not publish for this market.";
    EVENT_REPLAYED        = "event_replayed",        409, UseReceipt("/wp-json/service-trust/v1/events/sha256:…"), "This event was published before; use its receipt.";
    EVENT_ID_CONFLICT     = "event_id_conflict",     409, CorrectOne("/event/event_id", "must not be the id of another event"), "The event_id belongs to another event.";
    REVISION_CONFLICT     = "revision_conflict",     409, Refresh("/wp-json/service-trust/v1/markets/mkt_0123456789abcdef0123456789abcdef"), "The event does not follow the market's current revision.";
    MARKET_STATE_CONFLICT = "market_state_conflict", 409, Refresh("/wp-json/service-trust/v1/markets/mkt_0123456789abcdef0123456789abcdef"), "The market's state does not accept this kind of event.";
    EVENT_HASH_MISMATCH   = "event_hash_mismatch",   422, CorrectOne("/event_hash", "must be the SHA-256 of the event's canonical JSON (RFC 8785)"), "The event_hash is not the hash of the event.";
}
