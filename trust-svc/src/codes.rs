//! The refusals of this service beside the shared ones. Names are stable for ever.

#[rustfmt::skip]
shared_runtime::code_table! {
    SIGNATURE_MISSING     = "signature_missing",     401, "A published event must be signed; the body has no signature.";
    UNKNOWN_SIGNER        = "unknown_signer",        401, "No signer has this key id.";
    SIGNATURE_INVALID     = "signature_invalid",     401, "The signature is not this signer's over this event.";
    ORIGIN_DENIED         = "origin_denied",         403, "This signer does not publish from this Origin.";
    SIGNER_NOT_ACTIVE     = "signer_not_active",     403, "The signer is not active yet, retired or revoked.";
    SIGNER_NOT_ALLOWED    = "signer_not_allowed",    403, "The signer may not publish this kind of event, or not for this market.";
    EVENT_REPLAYED        = "event_replayed",        409, "This very event has been published already; use its receipt.";
    EVENT_ID_CONFLICT     = "event_id_conflict",     409, "The event_id belongs to another event.";
    REVISION_CONFLICT     = "revision_conflict",     409, "The event does not follow the market's current revision.";
    MARKET_STATE_CONFLICT = "market_state_conflict", 409, "The market's state does not admit this kind of event.";
    EVENT_HASH_MISMATCH   = "event_hash_mismatch",   422, "The event_hash is not the hash of the event.";
}
