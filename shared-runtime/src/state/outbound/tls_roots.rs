//! The certificate authorities that calls trust.

use std::{io, sync::Arc};

use rustls::{CertificateError, ClientConfig, Error as TlsError, RootCertStore, crypto::ring};
use rustls_platform_verifier::Verifier;
use tokio::sync::OnceCell;

use super::error::OutboundError;

/// The TLS configuration of a client, created at its first use.
#[derive(Clone)]
pub struct TlsRoots {
    roots: Option<Arc<RootCertStore>>,
    config: Arc<OnceCell<Arc<ClientConfig>>>,
}

impl TlsRoots {
    pub fn platform() -> Self {
        Self { roots: None, config: Arc::default() }
    }

    pub fn only(roots: RootCertStore) -> Self {
        Self { roots: Some(Arc::new(roots)), config: Arc::default() }
    }

    pub async fn config(&self) -> Result<Arc<ClientConfig>, OutboundError> {
        let made = self.config.get_or_try_init(|| async { self.make() }).await;
        made.cloned().map_err(|error| {
            tracing::error!(%error, "TLS for outbound calls could not be configured");
            OutboundError::Tls("this service knows no certificate authorities")
        })
    }

    fn make(&self) -> Result<Arc<ClientConfig>, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let config =
            ClientConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions()?;
        let config = match &self.roots {
            Some(roots) => config.with_root_certificates(Arc::clone(roots)),
            None => config.dangerous().with_custom_certificate_verifier(Arc::new(Verifier::new(provider)?)),
        };
        let mut config = config.with_no_client_auth();
        // Without ALPN some servers would choose HTTP/2.
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}

/// The reason for a failed handshake, for the person who configured the target.
pub fn describe(error: &io::Error) -> &'static str {
    let Some(error) = error.get_ref().and_then(|error| error.downcast_ref::<TlsError>()) else {
        return "the connection ended during the TLS handshake";
    };
    match error {
        TlsError::InvalidCertificate(reason) => match reason {
            CertificateError::Expired
            | CertificateError::ExpiredContext { .. }
            | CertificateError::NotValidYet
            | CertificateError::NotValidYetContext { .. } => "the certificate is not valid at this time",
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "the certificate is for another name"
            }
            // BadSignature: an authority of the same name, but with another key.
            CertificateError::UnknownIssuer | CertificateError::BadSignature => {
                "the certificate is of no authority that this service trusts"
            }
            _ => "the certificate is not acceptable",
        },
        TlsError::InvalidMessage(_) => "the server does not speak TLS",
        _ => "no TLS version and cipher in common",
    }
}
