//! Addresses of a stack, and the part of `stack.json` that follows from them.

use std::{collections::BTreeMap, path::PathBuf};

use shared_runtime::Clock;

use crate::{
    keys::KeyFile,
    sample_ids::SampleIds,
    samples,
    service_name::ServiceName,
    stack_file::{IssuerEntry, LogEntry, ServiceEntry, SignerEntry, StackFile},
    tokens::{self, CAST, Claims},
};

pub const JWKS_PATH: &str = "/jwks.json";

pub struct Addresses {
    /// `iss`, and the URL for browsers.
    pub issuer: String,
    /// URL that receives the sample webhook's deliveries.
    pub receiver: String,
    /// Services, with URLs for their callers.
    pub services: BTreeMap<ServiceName, ServiceEntry>,
    pub certificate_authority_file: PathBuf,
    /// Whether the issuer can fetch the metadata of clients from the internet.
    pub issuer_reaches_internet: bool,
}

impl Addresses {
    /// `stack.json` without samples.
    pub fn stack_file(self, issuer_key: &KeyFile, signer_key: &KeyFile, log_key: String) -> StackFile {
        let Self { issuer, receiver, services, certificate_authority_file, issuer_reaches_internet: _ } = self;
        let mut tokens: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for caller in CAST {
            let audience = &services[&caller.service].base_url;
            let now = Clock::System.now();
            let claims =
                Claims::new(caller.service, &issuer, audience, caller.subject, now, tokens::SAMPLE_TOKEN_SECONDS);
            tokens.entry(caller.service).or_default().insert(caller.name.to_owned(), claims.sign(issuer_key));
        }
        StackFile {
            webhook_receiver_url: receiver,
            issuer: IssuerEntry {
                jwks_url: format!("{issuer}{}", JWKS_PATH),
                url: issuer,
                signing_key_file: issuer_key.file.clone(),
                kid: issuer_key.kid(),
            },
            services,
            tokens,
            signer: SignerEntry {
                key_id: samples::trust::key_id(&signer_key.key.verifying_key()),
                signing_key_file: signer_key.file.clone(),
            },
            trust: LogEntry { log_key },
            certificate_authority_file,
            samples: SampleIds::default(),
        }
    }
}
