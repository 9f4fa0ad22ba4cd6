//! Every URL of the service. All are public: what is published is authenticated by the signature in the body.

use shared_model::refusal::NextStep;
use shared_runtime::{Routes, mcp, state::rate_limit::LimitClass};

use crate::{codes, events, log, markets, self_check, signers};

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
             higher, and `prev_event_hash` is that event's hash, null for the first. The answer has the receipt: the \
             proof, for ever and offline, that the log has the event. The same event again is 409 `event_replayed` \
             with the receipt of then.",
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
             hash, its signature and whose it is, and the receipt that its publisher got. What the event says is \
             untrusted content.",
        );
    routes
        .get("/wp-json/service-trust/v1/markets/{market_id}", "read_market", &READ, markets::read::read)
        .summary("Read where a market stands after its latest event, and the events before.")
        .description(
            "The next event of the market has `revision` + 1, and this `event_hash` as its `prev_event_hash`.",
        );
    routes
        .get("/wp-json/service-trust/v1/signers", "list_signers", &READ, signers::list::list)
        .summary("List the signers: whose key may sign what, from when until when.")
        .description("The latest first, those that publish no more as well. Each change is an entry of the log too.");
    routes
        .post(mcp::PATH, "send_mcp_message", &READ, mcp::serve_anyone)
        .summary("Speak the Model Context Protocol.")
        .description(mcp::DESCRIPTION);
    log(routes);
}

/// The log, for everyone to check (C2SP tlog-tiles).
fn log(routes: &mut Routes) {
    routes
        .get("/wp-json/service-trust/v1/log/checkpoint", "read_checkpoint", &READ, log::read::checkpoint)
        .summary("Read the size and root of the log, signed.")
        .description("A signed note (c2sp.org/tlog-checkpoint). Every later checkpoint is consistent with this one.");
    routes
        .get("/wp-json/service-trust/v1/log/key", "read_log_key", &READ, log::read::key)
        .summary("Read the key that the log's signatures are checked with.")
        .description("A verifier key (c2sp.org/signed-note). Whoever relies on receipts keeps it, once.");
    routes
        .get("/wp-json/service-trust/v1/log/audit", "read_audit", &READ, self_check::read::read)
        .summary("Read the last self-check of the log.")
        .description(
            "At start and every hour the service computes from the entries all that it has stored of them. Whoever does \
             not trust it reads the tiles.",
        );
    routes
        .get("/wp-json/service-trust/v1/log/tile/{tile}", "read_tile", &READ, log::tiles::read)
        .summary("Read a tile of the log: 256 neighbouring hashes or entries, or the first of them.")
        .description(
            "As c2sp.org/tlog-tiles says, with this URL up to `/log` as the prefix. `{tile}` has slashes. A tile never \
             changes; one that the log is too small for is 404.",
        )
        .takes_rest_of_path();
    routes
        .get("/wp-json/service-trust/v1/log/proof/inclusion", "prove_inclusion", &READ, log::prove::inclusion)
        .summary("Prove that the log of some size has an entry.")
        .description("Made on demand from stored hashes (RFC 9162, 2.1.3.1). Clients can make it themselves of tiles.");
    routes
        .get("/wp-json/service-trust/v1/log/proof/consistency", "prove_consistency", &READ, log::prove::consistency)
        .summary("Prove that the log of some size begins with that of a smaller one.")
        .description("Made on demand from stored hashes (RFC 9162, 2.1.4.1). Clients can make it themselves of tiles.");
}
