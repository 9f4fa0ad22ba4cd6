//! Certificates for tests.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

/// Writes a self-signed certificate for `localhost` and its key; returns both paths.
pub fn certificate(folder: &Path) -> (PathBuf, PathBuf) {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let (chain, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
    fs::write(&chain, made.cert.pem()).expect("the certificate is written");
    fs::write(&key, made.signing_key.serialize_pem()).expect("the key is written");
    (chain, key)
}

/// A certificate authority with its files in one folder.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    folder: PathBuf,
    pub certificate: PathBuf,
}

impl Authority {
    pub fn new(folder: &Path) -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.distinguished_name.push(DnType::CommonName, "An authority of a test");
        let key = KeyPair::generate().expect("a key");
        let certificate = folder.join("authority.pem");
        fs::write(&certificate, params.self_signed(&key).expect("a certificate").pem()).expect("it is written");
        Self { issuer: Issuer::new(params, key), folder: folder.to_owned(), certificate }
    }

    /// Issues a certificate for a name or address. Returns the paths of the certificate and its key.
    pub fn vouch_for(&self, name: &str) -> (PathBuf, PathBuf) {
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(vec![name.to_owned()]).expect("a name");
        let made = params.signed_by(&key, &self.issuer).expect("a certificate");
        let (chain, key_file) = (self.folder.join(format!("{name}.pem")), self.folder.join(format!("{name}.key.pem")));
        fs::write(&chain, made.pem()).expect("the certificate is written");
        fs::write(&key_file, key.serialize_pem()).expect("the key is written");
        (chain, key_file)
    }
}
