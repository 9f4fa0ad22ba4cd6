//! `stack.json`: addresses, tokens and sample ids of a stack, for scripts and for the `token` command.

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::{
    data_folder::DataFolder,
    error::{StackError, cannot},
    sample_ids::SampleIds,
    service_name::ServiceName,
};

const FILE: &str = "stack.json";

#[derive(Debug, Serialize, Deserialize)]
pub struct StackFile {
    pub issuer: IssuerEntry,
    // The name that scripts know.
    #[serde(rename = "surfaces")]
    pub services: BTreeMap<ServiceName, ServiceEntry>,
    /// Tokens of the sample callers, by service and caller.
    pub tokens: BTreeMap<ServiceName, BTreeMap<String, String>>,
    pub signer: SignerEntry,
    pub trust: LogEntry,
    /// URL of the sample webhook; the stack prints its deliveries.
    #[serde(default)]
    pub webhook_receiver_url: String,
    /// The authority that signed the services' certificates.
    pub certificate_authority_file: PathBuf,
    pub samples: SampleIds,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct IssuerEntry {
    /// `iss`.
    pub url: String,
    pub jwks_url: String,
    /// Ed25519, PKCS#8 PEM.
    pub signing_key_file: PathBuf,
    pub kid: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ServiceEntry {
    /// Also the resource id (`aud`).
    pub base_url: String,
    pub tls_base_url: String,
    pub ops_url: String,
    pub database_url: String,
}

/// The signer of market events.
#[derive(Debug, Serialize, Deserialize)]
pub struct SignerEntry {
    pub key_id: String,
    /// Ed25519, PKCS#8 PEM.
    pub signing_key_file: PathBuf,
}

/// The log of market events.
#[derive(Debug, Serialize, Deserialize)]
pub struct LogEntry {
    /// Verifies receipts (c2sp.org/signed-note).
    pub log_key: String,
}

impl StackFile {
    /// The file of the running or the last stack, if there was one.
    pub fn read(folder: &DataFolder) -> Result<Option<Self>, StackError> {
        match folder.read(FILE)? {
            None => Ok(None),
            Some(text) => {
                serde_json::from_str(&text).map(Some).map_err(cannot(format!("read {}", folder.path(FILE).display())))
            }
        }
    }

    /// Sample ids of the last start.
    pub fn samples_of_last_start(folder: &DataFolder, this: &Self) -> Result<SampleIds, StackError> {
        // Ids from other databases would name nothing here.
        let databases = |stack_file: &Self| -> Vec<_> {
            stack_file.services.values().map(|service| service.database_url.clone()).collect()
        };
        match Self::read(folder)? {
            Some(last) if databases(&last) == databases(this) => Ok(last.samples),
            _ => Ok(SampleIds::default()),
        }
    }

    pub fn write(&self, folder: &DataFolder) -> Result<PathBuf, StackError> {
        let text = serde_json::to_string_pretty(self).map_err(cannot("write stack.json"))?;
        folder.write(FILE, &(text + "\n"))
    }
}
