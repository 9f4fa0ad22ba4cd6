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
        .summary("Publish a signed market event.");
    for code in codes::ALL {
        publish.refuses(code);
    }
    // A market that has no event yet cannot be read again.
    publish
        .refuses_with(&codes::REVISION_CONFLICT, NextStep::CorrectOne("/event/revision", "must be 1"))
        .refuses_with(&codes::MARKET_STATE_CONFLICT, NextStep::CorrectOne("/event/kind", "must be market.listed"));
    routes
        .get("/wp-json/service-trust/v1/events/{event_hash}", "read_event", &READ, events::read::read)
        .summary("Read a published event and its signature.");
    routes
        .get("/wp-json/service-trust/v1/markets/{market_id}", "read_market", &READ, markets::read::read)
        .summary("Read where a market stands after its latest event.");
}
