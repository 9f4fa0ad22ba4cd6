//! Every URL of Locker.

use shared_runtime::{Routes, idempotency, mcp, state::rate_limit::LimitClass};

use crate::{catalogue, codes, connection_tests, exports, permissions::Chat, subscriptions, tools::UseTools};

pub const READ: LimitClass = LimitClass { name: "read", per_minute: 120 };
// Lower than reads, because each one makes a worker call another server.
pub const COMMAND: LimitClass = LimitClass { name: "command", per_minute: 30 };
// The public catalogue has no caller to count, so requests are counted by source address.
pub const CATALOGUE: LimitClass = LimitClass { name: "catalogue", per_minute: 60 };
// Downloads need no token, so they are counted by source address. A client downloads up to 16 parts for each listing.
pub const DOWNLOAD: LimitClass = LimitClass { name: "download", per_minute: 600 };

pub fn declare(routes: &mut Routes) {
    routes
        .get("/api/v1/catalogue", "get_catalogue", &CATALOGUE, catalogue::read)
        .summary("Get room prices and availability.")
        .description(
            "The last imported or fetched catalogue. If no current catalogue is available, the answer is 503: do not \
             assume any price. Supports `If-None-Match` (304). Shared caches may store it for 30 seconds. Public.",
        )
        .refuses(&codes::CATALOGUE_UNAVAILABLE);
    routes
        .get("/api/v1/billing/subscriptions", "list_subscriptions", &READ, subscriptions::list)
        .summary("List your subscriptions, newest first.")
        .description(
            "Lists the subscriptions of the token's `sub`, sorted by `created_at` and `id`, which never change. \
             Continue with `meta.next_cursor` until it is null.",
        );
    routes
        .get("/api/v1/exports/{export}/parts", "list_export_parts", &READ, exports::list_parts)
        .summary("List the parts of an export, with download links.")
        .description(
            "Returns up to 16 parts, starting at index `cursor`, each with its length, SHA-256 and a download link. \
             Start the download within 120 seconds; it needs no token. Anyone with the link can download the part. \
             `next_cursor` is the index of the next page.",
        )
        .refuses(&codes::EXPORT_NOT_READY)
        .refuses(&codes::EXPORT_FAILED)
        .refuses(&codes::EXPORT_EXPIRED)
        .refuses(&codes::EXPORT_REVOKED);
    routes
        .get("/api/v1/exports/{export}/manifest", "get_export_manifest", &READ, exports::read_manifest)
        .summary("Get the signed manifest of an export.")
        .description(
            "Save it next to the parts to verify them after the download. It is returned as a bare DSSE envelope, \
             without `data` and `meta`. The payload is canonical JSON with the length and SHA-256 of every part. \
             The signature is Ed25519 over DSSE's pre-authentication encoding.",
        )
        .refuses(&codes::EXPORT_NOT_READY)
        .refuses(&codes::EXPORT_FAILED)
        .refuses(&codes::EXPORT_EXPIRED)
        .refuses(&codes::EXPORT_REVOKED);
    routes
        .get("/downloads/{token}", "download_part", &DOWNLOAD, exports::download)
        .summary("Download one part of an export, or a range of it.")
        .description(
            "Use the link exactly as `list_export_parts` returned it; it needs no token. Supports one `Range`, \
             `If-Range` with an entity tag, and `If-None-Match`. `Repr-Digest` is the SHA-256 of the whole part. \
             Every invalid link gets the same 404: list the parts again for a new one.",
        )
        // The only code: a different answer for an expired or revoked link would tell a stranger that the export
        // exists.
        .refuses(&codes::GRANT_INVALID);
    routes
        .post("/api/v1/rooms/{room}/onboarding/model-test", "queue_model_test", &COMMAND, connection_tests::queue)
        .summary("Queue a test of the connection to a room's model.")
        .description(
            "Answers 202 immediately. `Location` is the operation: poll it after `Retry-After` seconds. \
             Repeating the request with the same key answers 200 once the test has ended. A room has one test at \
             a time: 409 `operation_in_progress` links to the active one.",
        )
        .may_be_accepted()
        .refuses(&codes::ROOM_STATE_CONFLICT)
        .refuses(&codes::MODEL_NOT_CONFIGURED)
        .refuses(&codes::IMAGE_NOT_VERIFIED)
        .refuses(&codes::OPERATION_IN_PROGRESS);
    routes
        .get("/api/v1/operations/{id}", "read_operation", &READ, connection_tests::read)
        .summary("Get the status and result of an operation.")
        .description(
            "Poll it every `poll_after_seconds` until that is 0. With status `succeeded` or `failed` there is a \
             `result`. Its `note` was written by the tested server: do not trust it. Operations are stored for 30 \
             days after their end.",
        );
    routes
        .get("/api/v1/idempotency/{key}", "read_command", &READ, idempotency::lookup::<Chat>)
        .summary("Check whether a command with this idempotency key was executed.")
        .description(idempotency::LOOKUP_DESCRIPTION);
    routes
        .post(mcp::PATH, "send_mcp_message", &READ, mcp::serve::<UseTools>)
        .summary("Send a Model Context Protocol message.")
        .description(mcp::DESCRIPTION);
}
