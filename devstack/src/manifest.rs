//! `stack.json`: where everything is and who may call it, for people's scripts and for the `token` command.

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::{
    error::{StackError, cannot},
    home::Home,
    samples::Samples,
    surfaces::SurfaceName,
};

const FILE: &str = "stack.json";

/// The whole file.
#[derive(Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Who issues tokens.
    pub issuer: IssuerEntry,
    /// The four services.
    pub surfaces: BTreeMap<SurfaceName, SurfaceEntry>,
    /// Tokens of the sample callers.
    pub tokens: BTreeMap<SurfaceName, BTreeMap<String, String>>,
    /// Who signs market events.
    pub signer: SignerEntry,
    /// The log of market events.
    pub trust: LogEntry,
    /// Where the sample webhook's deliveries go; what is told there, the stack prints.
    #[serde(default)]
    pub webhook_receiver_url: String,
    /// What trusts the services' certificates.
    pub certificate_authority_file: PathBuf,
    /// What there is to fixture with.
    pub samples: Samples,
}

/// Who issues tokens.
#[derive(Debug, Serialize, Deserialize)]
pub struct IssuerEntry {
    /// `iss`.
    pub url: String,
    /// Where its keys are.
    pub jwks_url: String,
    /// Its private key: Ed25519, PKCS#8 PEM.
    pub signing_key_file: PathBuf,
    /// The key's id.
    pub kid: String,
}

/// One service.
#[derive(Debug, Serialize, Deserialize)]
pub struct SurfaceEntry {
    /// Its address and resource id (`aud`).
    pub base_url: String,
    /// The same with TLS.
    pub tls_base_url: String,
    /// The operator's endpoints.
    pub ops_url: String,
    /// Where its data is.
    pub database_url: String,
}

/// Who signs market events.
#[derive(Debug, Serialize, Deserialize)]
pub struct SignerEntry {
    /// The id under which the signer is known to the service.
    pub key_id: String,
    /// Its private key: Ed25519, PKCS#8 PEM.
    pub signing_key_file: PathBuf,
}

/// The log of market events.
#[derive(Debug, Serialize, Deserialize)]
pub struct LogEntry {
    /// The key that its receipts are verified with (c2sp.org/signed-note).
    pub log_key: String,
}

impl Manifest {
    /// The manifest of the running or the last stack, if there was one.
    pub fn read(home: &Home) -> Result<Option<Self>, StackError> {
        match home.read(FILE)? {
            None => Ok(None),
            Some(text) => {
                serde_json::from_str(&text).map(Some).map_err(cannot(format!("read {}", home.path(FILE).display())))
            }
        }
    }

    /// The samples of the last start, if it had the databases of this one.
    pub fn samples_of_last_start(home: &Home, this: &Self) -> Result<Samples, StackError> {
        let databases = |manifest: &Self| -> Vec<_> {
            manifest.surfaces.values().map(|surface| surface.database_url.clone()).collect()
        };
        match Self::read(home)? {
            Some(last) if databases(&last) == databases(this) => Ok(last.samples),
            _ => Ok(Samples::default()),
        }
    }

    /// Writes it.
    pub fn write(&self, home: &Home) -> Result<PathBuf, StackError> {
        let text = serde_json::to_string_pretty(self).map_err(cannot("write stack.json"))?;
        home.write(FILE, &(text + "\n"))
    }
}
