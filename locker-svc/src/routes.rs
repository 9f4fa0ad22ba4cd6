//! Every URL of the locker.

use shared_runtime::{Routes, idempotency, mcp, state::rate_limit::LimitClass};

use crate::{
    catalogue, codes, connection_tests, exports, operations, permissions::Chat, subscriptions, tools::UseTools,
};

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
        .description(
            "As of the last import. Without a catalogue that is confirmed to be current the answer is 503, and no \
             price may be assumed. Answers 304 to `If-None-Match`; shared caches may keep it for 30 seconds. \
             Public.",
        )
        .refuses(&codes::CATALOGUE_UNAVAILABLE);
    routes
        .get("/api/v1/billing/subscriptions", "list_subscriptions", &READ, subscriptions::list)
        .summary("Subscriptions visible to the connection, newest first.")
        .description(
            "Those of the token's `sub`, by `created_at` and `id`, which never change. Go on with \
             `meta.next_cursor` until it is null.",
        );
    routes
        .get("/api/v1/exports/{export}/parts", "list_export_parts", &READ, exports::list_parts)
        .summary("Download grants for an owned portable package.")
        .description(
            "Up to sixteen parts from the index `cursor` on, each with its length, its SHA-256 and a link that is \
             good for beginning a download within 120 seconds, without a token. Whoever has the link can download \
             the part. `next_cursor` is the index to go on from.",
        )
        .refuses(&codes::EXPORT_NOT_READY)
        .refuses(&codes::EXPORT_FAILED)
        .refuses(&codes::EXPORT_EXPIRED)
        .refuses(&codes::EXPORT_REVOKED);
    routes
        .get("/api/v1/exports/{export}/manifest", "get_export_manifest", &READ, exports::read_manifest)
        .summary("What the package consists of, signed (DSSE), for a check after the download.")
        .description(
            "A file to keep beside the parts, not in the usual envelope. Its payload is canonical JSON that names \
             every part with its length and SHA-256; the signature is Ed25519 over DSSE's pre-authentication \
             encoding.",
        )
        .refuses(&codes::EXPORT_NOT_READY)
        .refuses(&codes::EXPORT_FAILED)
        .refuses(&codes::EXPORT_EXPIRED)
        .refuses(&codes::EXPORT_REVOKED);
    routes
        .get("/downloads/{token}", "download_part", &DOWNLOAD, exports::download)
        .summary("One part of a package, or a range of it, for whoever has the link.")
        .description(
            "The link comes from the listing of parts, and is used as it is. Knows one `Range`, `If-Range` with \
             an entity tag, and `If-None-Match`; `Repr-Digest` has the SHA-256 of the whole part. Every bad link \
             is the same 404: list the parts again for a fresh one.",
        )
        .refuses(&codes::GRANT_INVALID);
    routes
        .post("/api/v1/rooms/{room}/onboarding/model-test", "queue_model_test", &COMMAND, connection_tests::queue)
        .summary("Queue the image-verified, bounded check of a room's model.")
        .description(
            "Answers 202 with a receipt at once; `Location` is the operation to poll after `Retry-After` seconds. \
             A repetition after the end answers 200. A room has one test at a time: 409 `operation_in_progress` \
             leads to the one that runs.",
        )
        .may_be_accepted()
        .refuses(&codes::ROOM_STATE_CONFLICT)
        .refuses(&codes::MODEL_NOT_CONFIGURED)
        .refuses(&codes::IMAGE_NOT_VERIFIED)
        .refuses(&codes::OPERATION_IN_PROGRESS);
    routes
        .get("/api/v1/operations/{id}", "read_operation", &READ, operations::read)
        .summary("Where an operation stands, and what came of it.")
        .description(
            "Poll it every `poll_after_seconds` until that is 0. `succeeded` and `failed` come with a `result`, \
             whose `note` is a stranger's text. Kept for 30 days after its end.",
        );
    routes
        .get("/api/v1/idempotency/{key}", "read_command", &READ, idempotency::lookup::<Chat>)
        .summary("Whether a command with this idempotency key has happened.")
        .description(idempotency::LOOKUP_DESCRIPTION);
    routes
        .post(mcp::PATH, "send_mcp_message", &READ, mcp::serve::<UseTools>)
        .summary("Speak the Model Context Protocol.")
        .description(mcp::DESCRIPTION);
}
