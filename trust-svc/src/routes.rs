//! Every URL of the service. All are public: the signature in the body authenticates a published event.

use shared_model::refusal::NextStep;
use shared_runtime::{Routes, mcp, state::rate_limit::LimitClass};

use crate::{codes, events, log, markets, self_check, signers};

/// Per source address. Each signer has another limit ([`events::publish::PerSigner`]).
pub const PUBLISH: LimitClass = LimitClass { name: "publish", per_minute: 120 };
/// Per source address.
pub const READ: LimitClass = LimitClass { name: "read", per_minute: 600 };

pub fn declare(routes: &mut Routes) {
    let publish = routes
        .post("/wp-json/service-trust/v1/publish", "publish_event", &PUBLISH, events::publish::publish)
        .summary("Publish a signed market event.")
        .description(
            "Sign the text `service-trust/publish/v1\\n{base url}\\n{signer_key_id}\\n{event_hash}\\n` with Ed25519. \
             The hash is over the event's canonical JSON (RFC 8785): the order of members and the spelling of numbers \
             do not matter, but every value does. Send texts, including times, exactly as they were signed. An event \
             follows the market's latest event: its revision is one higher, and `prev_event_hash` is the hash of that \
             event, or null for the first. The answer has a receipt, which proves offline and forever that the log \
             has the event. If you send the same event again, the answer is 409 `event_replayed` with the original \
             receipt.",
        );
    for code in codes::ALL {
        publish.refuses(code);
    }
    // A market without events is 404, so `refresh` would not help. The refusal names the right values instead.
    publish
        .refuses_with(&codes::REVISION_CONFLICT, NextStep::CorrectOne("/event/revision", "must be 1"))
        .refuses_with(&codes::MARKET_STATE_CONFLICT, NextStep::CorrectOne("/event/kind", "must be market.listed"));
    routes
        .get("/wp-json/service-trust/v1/events/{event_hash}", "read_event", &READ, events::read::read)
        .summary("Read a published event and its signature.")
        .description(
            "The answer has everything that you need to check the event without trusting the server: its canonical JSON, \
             hash, signature, signer, and the receipt that its publisher got. If the log has witnesses, `cosigned_receipt` \
             proves the same with their cosignatures. The content of the event is untrusted.",
        );
    routes
        .get("/wp-json/service-trust/v1/markets/{market_id}", "read_market", &READ, markets::read::read)
        .summary("Read the state of a market after its latest event, and its events.")
        .description(
            "The next event of the market must have `revision` + 1, and this `event_hash` as its `prev_event_hash`.",
        );
    routes
        .get("/wp-json/service-trust/v1/signers", "list_signers", &READ, signers::list::list)
        .summary("List the signers: their keys, and what each may publish and when.")
        .description(
            "Newest first, including retired and revoked signers. Each change of a signer is an entry of the log.",
        );
    routes
        .post(mcp::PATH, "send_mcp_message", &READ, mcp::serve_anyone)
        .summary("Speak the Model Context Protocol.")
        .description(mcp::DESCRIPTION);
    log(routes);
}

fn log(routes: &mut Routes) {
    routes
        .get("/wp-json/service-trust/v1/log/checkpoint", "read_checkpoint", &READ, log::read::checkpoint)
        .summary("Read the size and root of the log, signed.")
        .description("A signed note (c2sp.org/tlog-checkpoint). Every later checkpoint is consistent with this one.");
    routes
        .get("/wp-json/service-trust/v1/log/key", "read_log_key", &READ, log::read::key)
        .summary("Read the key that verifies the log's signatures.")
        .description("A verifier key (c2sp.org/signed-note). If you rely on receipts, save it once.");
    routes
        .get("/wp-json/service-trust/v1/log/audit", "read_audit", &READ, self_check::read::read)
        .summary("Read the last self-check of the log.")
        .description(
            "At start and every hour the service computes the tree, the rows of events and the signers again from the \
             entries. If you do not trust the service, read the tiles and compute the log yourself.",
        );
    routes
        .get("/wp-json/service-trust/v1/log/tile/{tile}", "read_tile", &READ, log::tiles::read)
        .summary("Read a tile of the log: 256 neighboring hashes or entries, or the first of them.")
        .description(
            "The format is c2sp.org/tlog-tiles, and its prefix is this URL up to `/log`. `{tile}` has slashes. A tile never \
             changes. If the log is too small for the tile, the answer is 404.",
        )
        .takes_rest_of_path();
    routes
        .get("/wp-json/service-trust/v1/log/proof/inclusion", "prove_inclusion", &READ, log::prove::inclusion)
        .summary("Prove that the log of a given size has an entry.")
        .description("Made on demand from stored hashes (RFC 9162, 2.1.3.1). Clients can also make it from tiles.");
    routes
        .get("/wp-json/service-trust/v1/log/proof/consistency", "prove_consistency", &READ, log::prove::consistency)
        .summary("Prove that the log of a given size begins with the log of a smaller size.")
        .description("Made on demand from stored hashes (RFC 9162, 2.1.4.1). Clients can also make it from tiles.");
}
