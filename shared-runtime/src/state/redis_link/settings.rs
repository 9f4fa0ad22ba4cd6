//! The URL of Redis, and the certificates for TLS.

use std::{fmt, fs, path::PathBuf};

use redis::{Client, ClientTlsConfig, ConnectionAddr, TlsCertificates};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _};

use crate::base::tls;

#[derive(Clone, PartialEq, Eq)]
pub struct RedisSettings {
    /// `redis://[user:password@]host[:port][/db]`, or `rediss://…` with TLS.
    pub url: String,
    /// PEM file of the authorities to trust; `None`: those of the operating system.
    pub authorities: Option<PathBuf>,
    /// PEM files: our certificate chain, and its private key.
    pub client: Option<(PathBuf, PathBuf)>,
}

type Mistake = (&'static str, String);

impl RedisSettings {
    pub fn at(url: impl Into<String>) -> Self {
        Self { url: url.into(), authorities: None, client: None }
    }

    pub fn client(&self) -> Result<Client, Mistake> {
        const FORM: &str = "must be of the form redis://[user:password@]host[:port][/db], or rediss://…";
        // The parser's error may quote the password.
        let wrong = |_| ("REDIS_URL", FORM.to_owned());
        if !self.url.starts_with("redis://") && !self.url.starts_with("rediss://") {
            return Err(("REDIS_URL", FORM.to_owned()));
        }
        let client = Client::open(self.url.as_str()).map_err(wrong)?;
        match client.get_connection_info().addr() {
            ConnectionAddr::TcpTls { insecure: true, .. } => {
                Err(("REDIS_URL", "must not end with #insecure: who answers is always verified".to_owned()))
            }
            ConnectionAddr::TcpTls { .. } => {
                tls::install_cryptography();
                Client::build_with_tls(self.url.as_str(), self.certificates()?).map_err(wrong)
            }
            _ => Ok(client),
        }
    }

    fn certificates(&self) -> Result<TlsCertificates, Mistake> {
        let root_cert = self.authorities.as_ref().map(|path| certificates("REDIS_CA", path)).transpose()?;
        let client_tls = match &self.client {
            None => None,
            Some((chain, key)) => Some(ClientTlsConfig {
                client_cert: certificates("REDIS_CERTIFICATES", chain)?,
                client_key: private_key("REDIS_KEY", key)?,
            }),
        };
        Ok(TlsCertificates { client_tls, root_cert })
    }
}

impl fmt::Debug for RedisSettings {
    // Without the URL, which may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url: _, authorities, client } = self;
        f.debug_struct("RedisSettings")
            .field("authorities", authorities)
            .field("client", client)
            .finish_non_exhaustive()
    }
}

fn certificates(setting: &'static str, path: &PathBuf) -> Result<Vec<u8>, Mistake> {
    let pem = read(setting, path)?;
    let parsed: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    if parsed.is_ok_and(|certificates| !certificates.is_empty()) {
        return Ok(pem);
    }
    Err((setting, format!("must name a PEM file with certificates, which {} is not", path.display())))
}

fn private_key(setting: &'static str, path: &PathBuf) -> Result<Vec<u8>, Mistake> {
    let pem = read(setting, path)?;
    if PrivateKeyDer::from_pem_slice(&pem).is_ok() {
        return Ok(pem);
    }
    Err((setting, format!("must name a PEM file with a private key, which {} is not", path.display())))
}

fn read(setting: &'static str, path: &PathBuf) -> Result<Vec<u8>, Mistake> {
    fs::read(path).map_err(|error| (setting, format!("must name a file that can be read: {}: {error}", path.display())))
}
