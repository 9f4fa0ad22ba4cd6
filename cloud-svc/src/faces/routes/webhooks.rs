//! The URLs of webhooks.

use shared_runtime::Routes;

use crate::{
    base::{
        codes::{URL_NOT_ALLOWED, WEBHOOK_LIMIT, WEBHOOK_STATE},
        limits::{READ, WRITE},
    },
    news::webhooks::{self, signing_secret},
};

pub(super) fn declare(routes: &mut Routes) {
    reads(routes);
    routes
        .post("/v1/webhooks", "create_webhook", &WRITE, webhooks::create::create)
        .shows_secret(signing_secret::MEMBER)
        .summary("Register an endpoint for changes.")
        .description(
            "The endpoint gets a challenge, and events only after it has answered. Deliveries are signed according to \
                  Standard Webhooks with the secret in this answer. A grant has at most 10 unrevoked webhooks.",
        )
        .refuses(&URL_NOT_ALLOWED)
        .refuses(&WEBHOOK_LIMIT)
        .refuses(&WEBHOOK_STATE);
    routes
        .post("/v1/webhooks/{webhook_id}/update", "update_webhook", &WRITE, webhooks::update::update)
        .of_grant()
        .summary("Change the events or the description of a webhook.")
        .description("Pending deliveries are still sent. For another URL create another webhook.")
        .refuses(&WEBHOOK_STATE);
    routes
        .post("/v1/webhooks/{webhook_id}/verify", "verify_webhook", &WRITE, webhooks::verify::verify)
        .of_grant()
        .summary("Send the challenge again, or answer it by hand.")
        .description("Without `challenge` it is sent again. With `challenge` the webhook becomes active.")
        .refuses(&WEBHOOK_STATE);
    routes
        .post("/v1/webhooks/{webhook_id}/enable", "enable_webhook", &WRITE, webhooks::enable::enable)
        .of_grant()
        .summary("Enable a disabled webhook.")
        .description("It gets a new challenge, and receives the events after its answer.")
        .refuses(&WEBHOOK_STATE);
    routes
        .post("/v1/webhooks/{webhook_id}/disable", "disable_webhook", &WRITE, webhooks::disable::disable)
        .of_grant()
        .summary("Disable a webhook.")
        .description("Cancels pending deliveries. A replay can send them when the webhook is active again.")
        .refuses(&WEBHOOK_STATE);
    routes
        .post("/v1/webhooks/{webhook_id}/revoke", "revoke_webhook", &WRITE, webhooks::revoke::revoke)
        .of_grant()
        .summary("Revoke a webhook.")
        .description("It is no longer listed. It can be read for 30 days.");
    routes
        .post(
            "/v1/webhooks/{webhook_id}/rotate-secret",
            "rotate_webhook_secret",
            &WRITE,
            webhooks::rotate_secret::rotate,
        )
        .shows_secret(signing_secret::MEMBER)
        .summary("Replace the secret of a webhook.")
        .description("For 24 hours each delivery also has a signature with the old secret.")
        .refuses(&WEBHOOK_STATE);
    routes
        .post("/v1/webhooks/{webhook_id}/ping", "ping_webhook", &WRITE, webhooks::ping::ping)
        .of_grant()
        .summary("Send a test event to an active webhook.")
        .description("It is signed and retried like any other event.")
        .refuses(&WEBHOOK_STATE);
    routes
        .post("/v1/webhooks/{webhook_id}/replay", "replay_webhook", &WRITE, webhooks::replay::replay)
        .of_grant()
        .summary("Send old or missed events to an active webhook again.")
        .description("Each event keeps its `webhook-id`, so that the receiver can recognize duplicates.")
        .refuses(&WEBHOOK_STATE);
}

fn reads(routes: &mut Routes) {
    routes
        .get("/v1/webhooks", "list_webhooks", &READ, webhooks::list::list)
        .summary("List the webhooks of the grant.")
        .description("Newest first, with their states and failures. Revoked webhooks are not listed.");
    routes
        .get("/v1/webhooks/{webhook_id}", "get_webhook", &READ, webhooks::read::read)
        .summary("Read a webhook of the grant.")
        .description("Other grants cannot see it. A revoked webhook can be read for 30 days.");
    routes
        .get("/v1/webhooks/{webhook_id}/deliveries", "list_webhook_deliveries", &READ, webhooks::list_deliveries::list)
        .summary("List the deliveries of a webhook.")
        .description("Newest first, with their attempts. Each is kept for 30 days after it ended.");
}
