//! Our own certificate, for listening with TLS. It follows its files, so that a renewal needs no restart.

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use shared_model::Failure;
use tokio::{task::spawn_blocking, time::sleep};

/// How often the files are read. Renewals come weeks before the end of a certificate.
pub const INTERVAL: Duration = Duration::from_secs(60);

#[derive(Clone, Debug)]
pub struct TlsSettings {
    pub listen: SocketAddr,
    pub certificates: PathBuf,
    pub key: PathBuf,
}

/// The certificate that is served.
#[derive(Debug)]
pub struct ServerCertificate {
    settings: TlsSettings,
    served: ArcSwap<CertifiedKey>,
}

/// Selects the process's cryptography for TLS. Later calls do nothing.
pub fn install_cryptography() {
    // An error means that it is selected already.
    let _ = ring::default_provider().install_default();
}

impl ServerCertificate {
    pub fn load(settings: &TlsSettings) -> Result<Arc<Self>, Failure> {
        let served = ArcSwap::from_pointee(read(settings)?);
        Ok(Arc::new(Self { settings: settings.clone(), served }))
    }

    /// TLS 1.2 and 1.3 with this certificate.
    pub fn server_config(self: Arc<Self>) -> ServerConfig {
        install_cryptography();
        ServerConfig::builder().with_no_client_auth().with_cert_resolver(self)
    }

    /// Reads the files again and again. The old certificate stays if the new one cannot be served.
    pub async fn follow(self: Arc<Self>, interval: Duration) {
        loop {
            sleep(interval).await;
            let own = Arc::clone(&self);
            match spawn_blocking(move || own.reload()).await {
                Ok(Ok(true)) => tracing::info!("serving the new TLS certificate"),
                Ok(Ok(false)) => {}
                Ok(Err(failure)) => tracing::warn!(%failure, "still serving the old TLS certificate"),
                Err(panicked) => tracing::error!(%panicked, "reading the TLS certificate"),
            }
        }
    }

    /// Whether the files have another certificate than before.
    fn reload(&self) -> Result<bool, Failure> {
        let read = read(&self.settings)?;
        let is_new = read.cert != self.served.load().cert;
        if is_new {
            self.served.store(Arc::new(read));
        }
        Ok(is_new)
    }
}

impl ResolvesServerCert for ServerCertificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.served.load_full())
    }
}

fn read(settings: &TlsSettings) -> Result<CertifiedKey, Failure> {
    // Without the path: somebody may have put the key itself there.
    let unreadable = |what: &str| format!("the TLS {what} is not usable");
    let certificates = CertificateDer::pem_file_iter(&settings.certificates)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| Failure::fault(unreadable("certificate")).from_source(error))?;
    let key = PrivateKeyDer::from_pem_file(&settings.key)
        .map_err(|error| Failure::fault(unreadable("key")).from_source(error))?;
    if certificates.is_empty() {
        return Err(Failure::fault(unreadable("certificate")));
    }
    // The files may change between the two reads: then they do not fit, and are read again later.
    CertifiedKey::from_der(certificates, key, &ring::default_provider())
        .map_err(|error| Failure::fault("the TLS certificate and key do not fit").from_source(error))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use shared_testing::certificate;

    use super::*;

    #[test]
    fn a_renewed_certificate_is_served_and_a_bad_one_is_not() {
        let (folder, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let (certificates, key) = certificate(folder.path());
        let settings = TlsSettings { listen: ([127, 0, 0, 1], 0).into(), certificates, key };
        let served = ServerCertificate::load(&settings).expect("a certificate");
        let first = served.served.load_full();
        assert!(!served.reload().expect("readable"), "nothing has changed");

        let (renewed, its_key) = certificate(other.path());
        fs::copy(&renewed, &settings.certificates).expect("copied");
        let mismatch = served.reload().expect_err("the old key").to_string();
        assert!(mismatch.contains("do not fit"), "{mismatch}");
        assert!(Arc::ptr_eq(&first, &served.served.load_full()));
        fs::copy(its_key, &settings.key).expect("copied");
        assert!(served.reload().expect("readable"));
        assert_ne!(served.served.load().cert, first.cert);

        for bad in ["", "no certificate"] {
            fs::write(&settings.certificates, bad).expect("written");
            served.reload().expect_err(bad);
        }
        fs::remove_file(&settings.certificates).expect("removed");
        served.reload().expect_err("no file");
        assert_ne!(served.served.load().cert, first.cert, "the last good one");
    }

    #[tokio::test]
    async fn the_files_are_followed_also_after_they_were_bad() {
        let folder = tempfile::tempdir().expect("a folder");
        let (certificates, key) = certificate(folder.path());
        let settings = TlsSettings { listen: ([127, 0, 0, 1], 0).into(), certificates, key };
        let served = ServerCertificate::load(&settings).expect("a certificate");
        let first = served.served.load_full();
        let pause = Duration::from_millis(5);
        let following = tokio::spawn(Arc::clone(&served).follow(pause));
        fs::write(&settings.certificates, "no certificate").expect("written");
        sleep(10 * pause).await;
        assert!(Arc::ptr_eq(&first, &served.served.load_full()));
        certificate(folder.path());
        while served.served.load().cert == first.cert {
            assert!(!following.is_finished(), "it follows forever");
            sleep(pause).await;
        }
    }
}
