//! A certificate that nobody trusts, for a service that listens with TLS.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Writes one for `localhost` and its key; returns both files.
pub fn certificate(folder: &Path) -> (PathBuf, PathBuf) {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let (chain, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
    fs::write(&chain, made.cert.pem()).expect("the certificate is written");
    fs::write(&key, made.signing_key.serialize_pem()).expect("the key is written");
    (chain, key)
}
