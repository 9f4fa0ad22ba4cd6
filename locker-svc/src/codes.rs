//! The codes of the locker's own refusals, and how long their callers wait.

/// Seconds between two polls of a catalogue's upstream.
pub const CATALOGUE_POLL_SECONDS: u64 = 30;
/// Seconds after which an operation may have changed.
pub const OPERATION_POLL_SECONDS: u64 = 2;

#[rustfmt::skip]
shared_model::code_table! {
    EXPORT_NOT_READY      = "export_not_ready",      404, Wait(5), "The export is still being built; its parts can be listed when it is ready.";
    EXPORT_FAILED         = "export_failed",         404, ContactSupport, "The export could not be built; ask for a new one.";
    EXPORT_EXPIRED        = "export_expired",        404, ContactSupport, "The export has expired; ask for a new one.";
    EXPORT_REVOKED        = "export_revoked",        404, ContactSupport, "The export was revoked; its parts can no longer be downloaded.";
    GRANT_INVALID         = "grant_invalid",         404, CorrectOne("token", "must be that of a fresh link: list the parts of the export again"), "This link is not valid, or no longer; list the parts of the export again for fresh ones.";
    CATALOGUE_UNAVAILABLE = "catalogue_unavailable", 503, Wait(CATALOGUE_POLL_SECONDS), "The catalogue is not available right now; assume no price and no capacity.";
    ROOM_STATE_CONFLICT   = "room_state_conflict",   409, ContactSupport, "The room's state does not admit this.";
    MODEL_NOT_CONFIGURED  = "model_not_configured",  409, ContactSupport, "The room has no model configured.";
    IMAGE_NOT_VERIFIED    = "image_not_verified",    409, ContactSupport, "The room's image has no valid attestation.";
    OPERATION_IN_PROGRESS = "operation_in_progress", 409, Poll("/api/v1/operations/op_0123456789abcdef0123456789abcdef", OPERATION_POLL_SECONDS), "The room has a test that has not ended yet.";
}
