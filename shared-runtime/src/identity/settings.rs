//! Where access tokens come from.

use std::path::PathBuf;

/// Who issues access tokens.
#[derive(Clone, Debug)]
pub struct IssuerSettings {
    /// `iss`, exactly.
    pub issuer: String,
    /// Where its keys are.
    pub jwks: JwksSource,
}

/// Where an issuer's keys are.
#[derive(Clone, Debug)]
pub enum JwksSource {
    /// An https URL, or an http URL of this very machine.
    Url(String),
    /// A file.
    File(PathBuf),
}
