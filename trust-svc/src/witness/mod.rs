//! A witness of other logs (C2SP tlog-witness): it cosigns a log's checkpoint when the log has only grown since the last
//! one. It is a service of its own, with its own port and database, served by `trust-svc witness`.

pub mod add_checkpoint;
pub mod codes;
pub mod store;

use std::sync::Arc;

use shared_model::{Envelope, code};
use shared_runtime::{Routes, Service, Surface, migrations, state::rate_limit::LimitClass};

use crate::tlog::{self, Cosigner, VerifierKey, key::KeyType};

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

/// What a witness signs with, and whose checkpoints.
#[derive(Clone)]
pub struct Witness {
    cosigner: Arc<Cosigner>,
    /// A log may have several keys, all under its name.
    logs: Arc<[VerifierKey]>,
}

impl Witness {
    /// A witness of the logs with these keys; an error says which is none of a log, or which is there twice.
    pub fn new(cosigner: Cosigner, logs: Vec<VerifierKey>) -> Result<Self, String> {
        if logs.is_empty() {
            return Err("a witness needs at least one log to watch".to_owned());
        }
        for (at, key) in logs.iter().enumerate() {
            let name = key.name();
            if key.key_type() != KeyType::Ed25519 {
                return Err(format!("the key of a log must be of type 1 (Ed25519), that of {name} is a witness's"));
            }
            if logs[..at].contains(key) {
                return Err(format!("each key of a log must be given once, that of {name} is there twice"));
            }
            if key.public_key() == cosigner.verifier_key().public_key() {
                return Err(format!("a witness must have a key of its own, and has that of the log {name}"));
            }
        }
        Ok(Self { cosigner: Arc::new(cosigner), logs: logs.into() })
    }

    /// The keys of the log of this origin; none when the log is not watched.
    pub fn keys_of(&self, origin: &str) -> Vec<VerifierKey> {
        self.logs.iter().filter(|key| key.name().as_str() == origin).cloned().collect()
    }

    /// What it signs with.
    pub fn cosigner(&self) -> &Cosigner {
        &self.cosigner
    }
}

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
