//! Where everything of a stack is, and what `stack.json` says of it.

use std::{collections::BTreeMap, path::PathBuf};

use shared_runtime::Clock;

use crate::{
    keys::KeptKey,
    manifest::{IssuerEntry, LogEntry, Manifest, SignerEntry, SurfaceEntry},
    samples::{self, Samples},
    surfaces::SurfaceName,
    tokens::{self, CAST, Claims},
};

/// Where the issuer's keys are.
pub const JWKS_PATH: &str = "/jwks.json";

/// Where everything is.
pub struct Places {
    /// `iss`, and where people reach the issuer.
    pub issuer: String,
    /// Where the sample webhook's deliveries go.
    pub receiver: String,
    /// The services, as their callers reach them.
    pub surfaces: BTreeMap<SurfaceName, SurfaceEntry>,
    /// What trusts the services' certificates.
    pub certificate_authority_file: PathBuf,
}

impl Places {
    /// What `stack.json` will say, but for the samples.
    pub fn manifest(self, issuer_key: &KeptKey, signer_key: &KeptKey, log_key: String) -> Manifest {
        let Self { issuer, receiver, surfaces, certificate_authority_file } = self;
        let mut tokens: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for caller in CAST {
            let audience = &surfaces[&caller.surface].base_url;
            let now = Clock::System.now();
            let claims = Claims::new(caller.surface, &issuer, audience, caller.subject, now, tokens::SAMPLE_TTL);
            tokens.entry(caller.surface).or_default().insert(caller.name.to_owned(), claims.sign(issuer_key));
        }
        Manifest {
            webhook_receiver_url: receiver,
            issuer: IssuerEntry {
                jwks_url: format!("{issuer}{}", JWKS_PATH),
                url: issuer,
                signing_key_file: issuer_key.file.clone(),
                kid: issuer_key.kid(),
            },
            surfaces,
            tokens,
            signer: SignerEntry {
                key_id: samples::trust::key_id(&signer_key.key.verifying_key()),
                signing_key_file: signer_key.file.clone(),
            },
            trust: LogEntry { log_key },
            certificate_authority_file,
            samples: Samples::default(),
        }
    }
}
