//! The OpenAPI document as it is served, and what is read from the routes beside it.

use std::borrow::Cow;

use sha2::{Digest as _, Sha256};

use crate::http::routes::Routes;

/// The OpenAPI document as text, and the scopes that it names.
pub struct OpenApiText {
    text: Cow<'static, str>,
    hash: [u8; 32],
    scopes: Vec<&'static str>,
    paths: Vec<&'static str>,
}

impl OpenApiText {
    /// The document of these routes.
    pub fn new(text: Cow<'static, str>, routes: &Routes) -> Self {
        let mut scopes: Vec<_> = routes.contracts().filter_map(|contract| Some(contract.required()?.scope)).collect();
        scopes.sort_unstable();
        scopes.dedup();
        let paths = routes.contracts().map(|contract| contract.path).collect();
        Self { hash: Sha256::digest(text.as_bytes()).into(), text, scopes, paths }
    }

    /// The document.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its SHA-256.
    pub fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// The scopes that operations ask for, in order.
    pub fn scopes(&self) -> &[&'static str] {
        &self.scopes
    }

    /// Whether an operation has this path.
    pub fn has_path(&self, path: &str) -> bool {
        self.paths.contains(&path)
    }
}
