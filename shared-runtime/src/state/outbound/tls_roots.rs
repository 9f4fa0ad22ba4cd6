//! Whose certificates are believed.

use std::{io, sync::Arc};

use rustls::{CertificateError, ClientConfig, Error as TlsError, RootCertStore, crypto::ring};
use rustls_platform_verifier::Verifier;
use tokio::sync::OnceCell;

use super::error::OutboundError;

/// The client side of TLS, made when it is first needed.
#[derive(Clone)]
pub struct TlsRoots {
    roots: Option<Arc<RootCertStore>>,
    config: Arc<OnceCell<Arc<ClientConfig>>>,
}

impl TlsRoots {
    /// As the machine's administrator says.
    pub fn platform() -> Self {
        Self { roots: None, config: Arc::default() }
    }

    /// These authorities and no other.
    pub fn only(roots: RootCertStore) -> Self {
        Self { roots: Some(Arc::new(roots)), config: Arc::default() }
    }

    /// How to speak TLS.
    pub async fn config(&self) -> Result<Arc<ClientConfig>, OutboundError> {
        let made = self.config.get_or_try_init(|| async { self.make() }).await;
        made.cloned().map_err(|error| {
            tracing::error!(%error, "TLS to the outside is not possible");
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
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}

/// What went wrong in a handshake, in words for whoever configured the target.
pub fn flaw(error: &io::Error) -> &'static str {
    let Some(error) = error.get_ref().and_then(|error| error.downcast_ref::<TlsError>()) else {
        return "the connection ended during the TLS handshake";
    };
    match error {
        TlsError::InvalidCertificate(flaw) => match flaw {
            CertificateError::Expired
            | CertificateError::ExpiredContext { .. }
            | CertificateError::NotValidYet
            | CertificateError::NotValidYetContext { .. } => "the certificate is not valid at this time",
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "the certificate is for another name"
            }
            // The latter: an authority of the same name, but not the same key.
            CertificateError::UnknownIssuer | CertificateError::BadSignature => {
                "the certificate is of no authority that this service trusts"
            }
            _ => "the certificate is not acceptable",
        },
        TlsError::InvalidMessage(_) => "what answers does not speak TLS",
        _ => "no common way to speak TLS",
    }
}
