//! Settings of the token issuer.

use std::{fmt, path::PathBuf};

use url::Url;

#[derive(Clone, Debug)]
pub struct IssuerSettings {
    /// Compared with `iss` byte by byte.
    pub issuer: String,
    pub jwks: JwksSource,
}

/// `Display` omits the parts of a URL that may be secret.
#[derive(Clone, Debug)]
pub enum JwksSource {
    /// https, or http to this machine.
    Url(String),
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
