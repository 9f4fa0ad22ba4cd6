//! Our own certificate, for listening with TLS.

use std::{net::SocketAddr, path::PathBuf};

use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use shared_model::Failure;

#[derive(Clone, Debug)]
pub struct TlsSettings {
    pub listen: SocketAddr,
    pub certificates: PathBuf,
    pub key: PathBuf,
}

/// Selects the process's cryptography for TLS. Later calls do nothing.
pub fn install_cryptography() {
    // An error means that it is selected already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// TLS 1.2 and 1.3 with this certificate.
pub fn server_config(settings: &TlsSettings) -> Result<ServerConfig, Failure> {
    install_cryptography();
    let unreadable = |what: &str, path: &std::path::Path| format!("the TLS {what} in {} is not usable", path.display());
    let certificates = CertificateDer::pem_file_iter(&settings.certificates)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| Failure::fault(unreadable("certificate", &settings.certificates)).from_source(error))?;
    let key = PrivateKeyDer::from_pem_file(&settings.key)
        .map_err(|error| Failure::fault(unreadable("key", &settings.key)).from_source(error))?;
    ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(certificates, key)
        .map_err(|error| Failure::fault("the TLS certificate and key do not fit").from_source(error))
}
