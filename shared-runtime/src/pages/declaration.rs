//! Declarations of pages, and what all pages of a service share.

use actix_web::http::Method;

use super::{
    documents::Documents,
    hidden_fields::{CSRF, KEY},
    sent_file::FileField,
};
use crate::http::contract::Contract;

/// The fields of a form that holds no long text.
const FORM_BYTES: usize = 64 * 1024;
// Around a file: its hidden fields, and the lines between the parts.
const AROUND_FILE: usize = 64 * 1024;

pub struct PageDeclaration {
    /// Name, method, path and limit, for the edge and the metrics.
    pub(super) contract: Contract,
    pub(super) fields: &'static [&'static str],
    pub(super) signs_in: bool,
    pub(super) ignores_others: bool,
    /// The size of a form at most.
    pub(super) max_bytes: usize,
    pub(super) file: Option<FileField>,
}

impl PageDeclaration {
    pub(super) fn new(contract: Contract, signs_in: bool) -> Self {
        Self { contract, fields: &[], signs_in, ignores_others: false, max_bytes: FORM_BYTES, file: None }
    }

    /// Query parameters of a GET, form fields of a POST. Any other is refused.
    pub fn takes(&mut self, fields: &'static [&'static str]) -> &mut Self {
        self.fields = fields;
        self
    }

    /// A form of at most so many bytes, as they are encoded: for long texts.
    pub fn holds(&mut self, bytes: usize) -> &mut Self {
        self.max_bytes = bytes;
        self
    }

    /// A form with this file input ([`super::SignedIn::file_form`]).
    pub fn takes_file(&mut self, file: FileField) -> &mut Self {
        self.max_bytes = file.max_bytes + AROUND_FILE;
        self.file = Some(file);
        self
    }

    /// Ignores unknown parameters: an authorization server may add some (RFC 6749 §4.1.2).
    pub(super) fn ignores_others(&mut self) -> &mut Self {
        self.ignores_others = true;
        self
    }

    pub(super) fn is_form(&self) -> bool {
        self.contract.method == Method::POST
    }

    /// The declared field with this name.
    pub(super) fn field(&self, name: &str) -> Option<&'static str> {
        let hidden: &[&'static str] = if self.is_form() { &[CSRF, KEY] } else { &[] };
        self.fields.iter().chain(hidden).copied().find(|known| *known == name)
    }
}

/// Shared by all pages of a service; in every app.
#[derive(Clone, Default)]
pub struct Site {
    pub(super) links: Vec<Link>,
    /// Scopes that the sign-in requests.
    pub(super) scopes: Vec<&'static str>,
    /// The main walkthrough: operation ids in order, each with its purpose.
    pub(super) guide: &'static [(&'static str, &'static str)],
    pub(super) documents: Documents,
}

/// A link in the header of every page.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) path: &'static str,
    pub(super) name: &'static str,
}
