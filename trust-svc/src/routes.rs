//! Every URL of the service. All are public: what is published is authenticated by the signature in the body.

use shared_model::refusal::NextStep;
use shared_runtime::{Routes, state::rate_limit::LimitClass};

use crate::{codes, events, markets};

/// Publishing, per source address; beside it each signer has a limit of its own ([`events::publish::PerSigner`]).
pub const PUBLISH: LimitClass = LimitClass { name: "publish", per_minute: 120 };
/// Public reads, per source address.
pub const READ: LimitClass = LimitClass { name: "read", per_minute: 600 };

/// The table of routes.
pub fn declare(routes: &mut Routes) {
    let publish = routes
        .post("/wp-json/service-trust/v1/publish", "publish_event", &PUBLISH, events::publish::publish)
        .summary("Publish a signed market event.")
        .description(
            "The signature is Ed25519 over `service-trust/publish/v1\\n{base \
             url}\\n{signer_key_id}\\n{event_hash}\\n`, and the hash is over the event's canonical JSON (RFC \
             8785): the order of members and the spelling of numbers do not matter, every value does, so send \
             texts as they were signed, times too. An event follows the market's latest one: its revision is one \
             higher, and `prev_event_hash` is that event's hash, null for the first. The same event again is 409 \
             `event_replayed`, which leads to its record.",
        );
    for code in codes::ALL {
        publish.refuses(code);
    }
    // A market that has no event yet cannot be read again.
    publish
        .refuses_with(&codes::REVISION_CONFLICT, NextStep::CorrectOne("/event/revision", "must be 1"))
        .refuses_with(&codes::MARKET_STATE_CONFLICT, NextStep::CorrectOne("/event/kind", "must be market.listed"));
    routes
        .get("/wp-json/service-trust/v1/events/{event_hash}", "read_event", &READ, events::read::read)
        .summary("Read a published event and its signature.")
        .description(
            "Everything that is needed to check it without trusting the server: the event as canonical JSON, its \
             hash, its signature and whose it is. What the event says is untrusted content.",
        );
    routes
        .get("/wp-json/service-trust/v1/markets/{market_id}", "read_market", &READ, markets::read::read)
        .summary("Read where a market stands after its latest event.")
        .description(
            "The next event of the market has `revision` + 1, and this `event_hash` as its `prev_event_hash`.",
        );
}
