//! Every URL of the locker.

use shared_runtime::{Routes, idempotency, state::rate_limit::LimitClass};

use crate::{catalogue, codes, connection_tests, exports, operations, permissions::Chat, subscriptions};

/// Reads, for each grant (spec: Limits).
pub const READ: LimitClass = LimitClass { name: "read", per_minute: 120 };
/// Commands, for each grant (spec: Limits).
pub const COMMAND: LimitClass = LimitClass { name: "command", per_minute: 30 };
/// The public catalogue, for each source address.
pub const CATALOGUE: LimitClass = LimitClass { name: "catalogue", per_minute: 60 };
/// Downloads of parts, for each source address: a link alone is enough for them.
pub const DOWNLOAD: LimitClass = LimitClass { name: "download", per_minute: 600 };

/// The table of routes.
pub fn declare(routes: &mut Routes) {
    routes
        .get("/api/v1/catalogue", "get_catalogue", &CATALOGUE, catalogue::read)
        .summary("Planned room prices and availability.")
        .refuses(&codes::CATALOGUE_UNAVAILABLE);
    routes
        .get("/api/v1/billing/subscriptions", "list_subscriptions", &READ, subscriptions::list)
        .summary("Subscriptions visible to the connection, newest first.");
    routes
        .get("/api/v1/exports/{export}/parts", "list_export_parts", &READ, exports::list_parts)
        .summary("Download grants for an owned portable package.")
        .refuses(&codes::EXPORT_NOT_READY)
        .refuses(&codes::EXPORT_FAILED)
        .refuses(&codes::EXPORT_EXPIRED)
        .refuses(&codes::EXPORT_REVOKED);
    routes
        .get("/api/v1/exports/{export}/manifest", "get_export_manifest", &READ, exports::read_manifest)
        .summary("What the package consists of, signed (DSSE), for a check after the download.")
        .refuses(&codes::EXPORT_NOT_READY)
        .refuses(&codes::EXPORT_FAILED)
        .refuses(&codes::EXPORT_EXPIRED)
        .refuses(&codes::EXPORT_REVOKED);
    routes
        .get("/downloads/{token}", "download_part", &DOWNLOAD, exports::download)
        .summary("One part of a package, or a range of it, for whoever has the link.")
        .refuses(&codes::GRANT_INVALID);
    routes
        .post("/api/v1/rooms/{room}/onboarding/model-test", "queue_model_test", &COMMAND, connection_tests::queue)
        .summary("Queue the image-verified, bounded check of a room's model.")
        .may_be_accepted()
        .refuses(&codes::ROOM_STATE_CONFLICT)
        .refuses(&codes::MODEL_NOT_CONFIGURED)
        .refuses(&codes::IMAGE_NOT_VERIFIED)
        .refuses(&codes::OPERATION_IN_PROGRESS);
    routes
        .get("/api/v1/operations/{id}", "read_operation", &READ, operations::read)
        .summary("Where an operation stands, and what came of it.");
    routes
        .get("/api/v1/idempotency/{key}", "read_command", &READ, idempotency::lookup::<Chat>)
        .summary("Whether a command with this idempotency key has happened.");
}
