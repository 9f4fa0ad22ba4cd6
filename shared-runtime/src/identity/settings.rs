//! Where access tokens come from.

use std::{fmt, path::PathBuf};

use url::Url;

/// Who issues access tokens.
#[derive(Clone, Debug)]
pub struct IssuerSettings {
    /// `iss`, exactly.
    pub issuer: String,
    /// Where its keys are.
    pub jwks: JwksSource,
}

/// Where an issuer's keys are; shown without what may be a secret in a URL.
#[derive(Clone, Debug)]
pub enum JwksSource {
    /// An https URL, or an http URL of this very machine.
    Url(String),
    /// A file.
    File(PathBuf),
}

impl fmt::Display for JwksSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Url(text) => match Url::parse(text) {
                Ok(url) => write!(f, "{}{}", url.origin().ascii_serialization(), url.path()),
                Err(_) => f.write_str("a URL"),
            },
        }
    }
}
