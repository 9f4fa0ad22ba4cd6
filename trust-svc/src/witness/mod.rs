//! A witness of other logs (C2SP tlog-witness). It cosigns a checkpoint if the log has only grown since the last one.
//! `trust-svc witness` serves it, with a separate port and database.

pub mod add_checkpoint;
pub mod codes;
pub mod keys;
pub mod own_database;
pub mod store;

use shared_model::{Envelope, code};
use shared_runtime::{Routes, Service, Surface, state::rate_limit::LimitClass};
use trust_log::tlog;

pub use keys::Witness;

pub static SURFACE: Surface = Surface {
    name: "witness",
    title: "Fourfold Witness API",
    about: "Cosigns the checkpoints of logs that only grow (C2SP tlog-witness). There are no tokens: the log's signature \
            authenticates a checkpoint.",
    version: "v1",
    port: 8085,
    envelope: Envelope::DataMeta,
    invalid_field: &code::INVALID_FIELD,
    wrong_method: &code::METHOD_NOT_ALLOWED,
    body_bytes: tlog::witness::MAX_BYTES,
    claims: &[],
    codes: codes::ALL,
};

/// Per source address.
pub const ADD_CHECKPOINT: LimitClass = LimitClass { name: "add_checkpoint", per_minute: 600 };

pub fn service(witness: Witness) -> Service {
    Service::new(&SURFACE, declare, crate::MIGRATIONS).state(move |_| witness.clone())
}

fn declare(routes: &mut Routes) {
    let add = routes
        .post("/add-checkpoint", "add_checkpoint", &ADD_CHECKPOINT, add_checkpoint::add_checkpoint)
        .summary("Request a cosignature on a log's checkpoint (C2SP tlog-witness).")
        .description(
            "The body is `old <size>`, the hashes of the consistency proof from that size, one per line, an empty line, and \
             the checkpoint. The answer is one line with the cosignature. A 409 of the type `text/x.tlog.size` is the size at \
             which the proof must begin.",
        );
    for code in codes::ALL {
        add.refuses(code);
    }
}
