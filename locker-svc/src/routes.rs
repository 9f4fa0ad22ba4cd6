//! Every URL of the locker.

use shared_model::NextAction;
use shared_runtime::{Routes, idempotency, state::rate_limit::LimitClass};

use crate::{catalogue, codes, downloads, exports, model_tests, operations, permissions::Chat, subscriptions};

/// Reads, for each grant (spec: Limits).
pub const READ: LimitClass = LimitClass { name: "read", per_minute: 120 };
/// Commands, for each grant (spec: Limits).
pub const COMMAND: LimitClass = LimitClass { name: "command", per_minute: 30 };
/// The public catalogue, for each source address.
pub const CATALOGUE: LimitClass = LimitClass { name: "catalogue", per_minute: 60 };
/// Downloads of parts, for each source address: a link alone is enough for them.
pub const DOWNLOAD: LimitClass = LimitClass { name: "download", per_minute: 600 };

/// Where an operation is, for the document.
const OPERATION: &str = "https://api.example.com/api/v1/operations/op_0123456789abcdef0123456789abcdef";

/// The table of routes.
#[rustfmt::skip]
pub fn declare(routes: &mut Routes) {
    routes.get("/api/v1/catalogue", &CATALOGUE, "get_catalogue", catalogue::read, "Planned room prices and availability.")
        .refuses_then(&codes::CATALOGUE_UNAVAILABLE, NextAction::Wait { after_seconds: 30 });
    routes.get("/api/v1/billing/subscriptions", &READ, "list_subscriptions", subscriptions::list, "Subscriptions visible to the connection, newest first.");
    routes.get("/api/v1/exports/{export}/parts", &READ, "list_export_parts", exports::list_parts, "Download grants for an owned portable package.")
        .refuses_then(&codes::EXPORT_NOT_READY, NextAction::Wait { after_seconds: 5 }).refuses(&codes::EXPORT_FAILED).refuses(&codes::EXPORT_EXPIRED).refuses(&codes::EXPORT_REVOKED);
    routes.get("/api/v1/exports/{export}/manifest", &READ, "get_export_manifest", exports::read_manifest, "What the package consists of, signed (DSSE), for a check after the download.")
        .refuses_then(&codes::EXPORT_NOT_READY, NextAction::Wait { after_seconds: 5 }).refuses(&codes::EXPORT_FAILED).refuses(&codes::EXPORT_EXPIRED).refuses(&codes::EXPORT_REVOKED);
    routes.get("/downloads/{token}", &DOWNLOAD, "download_part", downloads::download, "One part of a package, or a range of it, for whoever has the link.")
        .refuses(&codes::GRANT_INVALID);
    routes.post("/api/v1/rooms/{room}/onboarding/model-test", &COMMAND, "queue_model_test", model_tests::queue, "Queue the image-verified, bounded check of a room's model.")
        .may_go_on()
        .refuses_then(&codes::ROOM_STATE_CONFLICT, NextAction::ContactSupport)
        .refuses_then(&codes::MODEL_NOT_CONFIGURED, NextAction::ContactSupport)
        .refuses_then(&codes::IMAGE_NOT_VERIFIED, NextAction::ContactSupport)
        .refuses_then(&codes::OPERATION_IN_PROGRESS, NextAction::Poll { href: OPERATION.to_owned(), after_seconds: 2 });
    routes.get("/api/v1/operations/{id}", &READ, "read_operation", operations::read, "Where an operation stands, and what came of it.");
    routes.get("/api/v1/idempotency/{key}", &READ, "read_command", idempotency::lookup::<Chat>, "Whether a command with this idempotency key has happened.");
}
