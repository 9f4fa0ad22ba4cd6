//! The codes of Locker's own refusals, and the waiting times in them.

pub const CATALOGUE_POLL_SECONDS: u64 = 30;
// Seconds between two reads of an operation. A probe ends within 20 seconds.
pub const OPERATION_POLL_SECONDS: u64 = 2;

#[rustfmt::skip]
shared_model::code_table! {
    EXPORT_NOT_READY      = "export_not_ready",      404, Wait(5), "The export is still being built. List its parts when it is ready.";
    EXPORT_FAILED         = "export_failed",         404, ContactSupport, "The export could not be built. Ask the operator for a new one.";
    EXPORT_EXPIRED        = "export_expired",        404, ContactSupport, "The export has expired. Ask the operator for a new one.";
    EXPORT_REVOKED        = "export_revoked",        404, ContactSupport, "The export was revoked. Its parts can no longer be downloaded.";
    GRANT_INVALID         = "grant_invalid",         404, CorrectOne("token", "must come from a new link: list the parts of the export again"), "This link is invalid or has expired. List the parts of the export again for a new one.";
    CATALOGUE_UNAVAILABLE = "catalogue_unavailable", 503, Wait(CATALOGUE_POLL_SECONDS), "The catalogue is not available now. Do not assume any price or capacity.";
    ROOM_STATE_CONFLICT   = "room_state_conflict",   409, ContactSupport, "The room's state does not allow this.";
    MODEL_NOT_CONFIGURED  = "model_not_configured",  409, ContactSupport, "The room has no model configured.";
    IMAGE_NOT_VERIFIED    = "image_not_verified",    409, ContactSupport, "The room's image has no valid attestation.";
    OPERATION_IN_PROGRESS = "operation_in_progress", 409, Poll("/api/v1/operations/op_0123456789abcdef0123456789abcdef", OPERATION_POLL_SECONDS), "A test of this room is still running.";
}
