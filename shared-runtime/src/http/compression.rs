//! gzip of public documents.
//!
//! Never of an answer for one caller: it may have a secret beside what a stranger wrote. The length of what is
//! compressed tells how much of a guess is right (BREACH).

use std::{io::Write as _, sync::OnceLock};

use actix_web::http::header::{self, AcceptEncoding, Encoding, HeaderMap};
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest as _, Sha256};
use shared_model::Etag;

/// The name and value of a header that public documents have in every coding.
pub const VARY: (&str, &str) = ("vary", "accept-encoding");

/// How the bytes of a public document are sent (RFC 9110 §8.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    Identity,
    Gzip,
}

impl Coding {
    /// The one for a client with these headers.
    pub fn accepted(headers: &HeaderMap) -> Self {
        let sent = header::from_comma_delimited(headers.get_all(header::ACCEPT_ENCODING)).map(AcceptEncoding);
        let ours = [Encoding::gzip(), Encoding::identity()];
        let chosen = sent.ok().and_then(|accepted| accepted.negotiate(ours.iter()));
        if chosen == Some(Encoding::gzip()) { Self::Gzip } else { Self::Identity }
    }

    /// The entity tag in this coding: a strong one is of the bytes that are sent.
    pub fn etag(self, of_document: Etag) -> Etag {
        match self {
            Self::Identity => of_document,
            Self::Gzip => Etag::from_bytes(Sha256::digest(format!("gzip {of_document}")).into()),
        }
    }

    pub fn encode(self, bytes: Vec<u8>) -> Vec<u8> {
        match self {
            Self::Identity => bytes,
            Self::Gzip => gzip(&bytes),
        }
    }

    /// The header that names it.
    pub fn content_encoding(self) -> Option<(String, String)> {
        (self == Self::Gzip).then(|| ("content-encoding".to_owned(), "gzip".to_owned()))
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    let mut gzipped = written.expect("a Vec takes all that is written");
    gzipped.shrink_to_fit();
    gzipped
}

/// A text that stays the same. Its compressed form is made when it is first asked for, and kept.
pub struct FixedText {
    text: String,
    gzip: OnceLock<Vec<u8>>,
}

impl FixedText {
    pub fn new(text: String) -> Self {
        Self { text, gzip: OnceLock::new() }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What is sent in this coding.
    pub fn bytes(&self, coding: Coding) -> Vec<u8> {
        match coding {
            Coding::Identity => self.text.as_bytes().to_vec(),
            Coding::Gzip => self.gzip.get_or_init(|| gzip(self.text.as_bytes())).clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn gzip_is_sent_to_who_takes_it() {
        let coding = |accepted: &str| {
            let value = HeaderValue::from_str(accepted).expect("a header value");
            Coding::accepted(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, value)]))
        };
        for taken in ["gzip", "br, GZIP", "deflate;q=0.5,gzip;q=0.1", "gzip; q=1.0"] {
            assert_eq!(coding(taken), Coding::Gzip, "{taken}");
        }
        for other in ["", "br", "gzip;q=0", "gzip; q=0.000", "gzip;q=x", "*", "x-gzips", "identity, gzip;q=0.5"] {
            assert_eq!(coding(other), Coding::Identity, "{other}");
        }
        assert_eq!(Coding::accepted(&HeaderMap::new()), Coding::Identity);
    }
}
