//! The URLs of webhooks.

use shared_runtime::Routes;

use crate::{
    base::{
        codes::{URL_NOT_ALLOWED, WEBHOOK_LIMIT, WEBHOOK_STATE},
        limits::{READ, WRITE},
    },
    news::webhooks,
};

pub(super) fn declare(routes: &mut Routes) {
    reads(routes);
    routes
        .post("/v1/webhooks", "create_webhook", &WRITE, webhooks::create::create)
        .summary("Name an endpoint that is to be told of changes.")
        .description(
            "It is sent a challenge at once, and told nothing else before it has answered it. Deliveries are signed as \
             Standard Webhooks say, with the secret that is shown here. A grant has at most 10 webhooks that are not \
             revoked; they end with it.",
        )
        .refuses(&URL_NOT_ALLOWED)
        .refuses(&WEBHOOK_LIMIT);
    routes
        .post("/v1/webhooks/{webhook_id}/update", "update_webhook", &WRITE, webhooks::update::update)
        .summary("Choose other events, or another description.")
        .description("What is on its way already is still delivered. Another URL is another webhook.")
        .refuses(&WEBHOOK_STATE);
    routes
        .post("/v1/webhooks/{webhook_id}/verify", "verify_webhook", &WRITE, webhooks::verify::verify)
        .summary("Have the challenge sent again, or answer it by hand.")
        .description(
            "Without `challenge` it is sent again, at once and on its schedule. With it, the webhook becomes active: for \
             endpoints that cannot answer by themselves.",
        )
        .refuses(&WEBHOOK_STATE);
    routes
        .post("/v1/webhooks/{webhook_id}/enable", "enable_webhook", &WRITE, webhooks::enable::enable)
        .summary("Let a disabled webhook prove itself again.")
        .description("It is sent a new challenge, and told of what happens after it has answered that.")
        .refuses(&WEBHOOK_STATE);
    routes
        .post("/v1/webhooks/{webhook_id}/disable", "disable_webhook", &WRITE, webhooks::disable::disable)
        .summary("Tell a webhook nothing for now.")
        .description("Deliveries that are not over are cancelled; a replay can send them once it is active again.")
        .refuses(&WEBHOOK_STATE);
    routes
        .post("/v1/webhooks/{webhook_id}/revoke", "revoke_webhook", &WRITE, webhooks::revoke::revoke)
        .summary("End a webhook for ever.")
        .description("It is no longer listed, and can be read for 30 days.");
    routes
        .post(
            "/v1/webhooks/{webhook_id}/rotate-secret",
            "rotate_webhook_secret",
            &WRITE,
            webhooks::rotate_secret::rotate,
        )
        .summary("Sign with another secret.")
        .description("For 24 hours each delivery has two signatures, one of the secret before.")
        .refuses(&WEBHOOK_STATE);
    routes
        .post("/v1/webhooks/{webhook_id}/ping", "ping_webhook", &WRITE, webhooks::ping::ping)
        .summary("Send an active webhook a message that nothing has happened.")
        .description("It is delivered, signed and repeated like any other.")
        .refuses(&WEBHOOK_STATE);
    routes
        .post("/v1/webhooks/{webhook_id}/replay", "replay_webhook", &WRITE, webhooks::replay::replay)
        .summary("Send an active webhook again what it was sent, or what it has missed.")
        .description("Each event keeps its `webhook-id`, so that whoever has it already can tell.")
        .refuses(&WEBHOOK_STATE);
}

fn reads(routes: &mut Routes) {
    routes
        .get("/v1/webhooks", "list_webhooks", &READ, webhooks::list::list)
        .summary("List the webhooks of the grant.")
        .description("With their state and their failures, newest first, but for those that are revoked.");
    routes
        .get("/v1/webhooks/{webhook_id}", "get_webhook", &READ, webhooks::read::read)
        .summary("Read a webhook of the grant.")
        .description("Other grants do not see it. A revoked one can be read for 30 days.");
    routes
        .get("/v1/webhooks/{webhook_id}/deliveries", "list_webhook_deliveries", &READ, webhooks::list_deliveries::list)
        .summary("List what a webhook was told.")
        .description("Newest first, each with its attempts so far; for 30 days after it was over.");
}
