//! A witness of other logs (C2SP tlog-witness): it cosigns a log's checkpoint when the log has only grown since the last
//! one. It is a service of its own, with its own port and database, served by `trust-svc witness`.

pub mod add_checkpoint;
pub mod codes;
pub mod keys;
pub mod store;

use shared_model::{Envelope, code};
use shared_runtime::{Routes, Service, Surface, migrations, state::rate_limit::LimitClass};

pub use keys::Witness;

use crate::tlog;

/// The constants of this service.
pub static SURFACE: Surface = Surface {
    name: "witness",
    title: "Fourfold Witness API",
    about: "Cosigns the checkpoints of logs that only grow (C2SP tlog-witness). There are no tokens here: a checkpoint is \
            authenticated by the log's signature.",
    version: "v1",
    port: 8085,
    envelope: Envelope::DataMeta,
    invalid_field: &code::INVALID_FIELD,
    wrong_method: &code::METHOD_NOT_ALLOWED,
    body_bytes: tlog::witness::MAX_BYTES,
    claims: &[],
    codes: codes::ALL,
};

/// Checkpoints sent, per source address.
pub const ADD_CHECKPOINT: LimitClass = LimitClass { name: "add_checkpoint", per_minute: 600 };

/// The service of this witness, ready to be started.
pub fn service(witness: Witness) -> Service {
    Service::new(&SURFACE, declare, migrations!()).state(move |_| witness.clone())
}

fn declare(routes: &mut Routes) {
    let add = routes
        .post("/add-checkpoint", "add_checkpoint", &ADD_CHECKPOINT, add_checkpoint::add_checkpoint)
        .summary("Ask for a cosignature on a log's checkpoint (C2SP tlog-witness).")
        .description(
            "The body is `old <size>`, the hashes of the consistency proof from that size, one a line, an empty line, and \
             the checkpoint. The answer is the line of the cosignature. 409 of the type `text/x.tlog.size` is the size that \
             the proof must begin at.",
        );
    for code in codes::ALL {
        add.refuses(code);
    }
}
