//! Declarations of pages, and what all pages of a service share.

use actix_web::http::Method;
use futures_util::future::LocalBoxFuture;
use shared_model::Error;

use super::{
    documents::Documents,
    hidden_fields::{CSRF, KEY},
    request::SignedIn,
    sent_file::FileField,
    text::Text,
    typed::TypedFields,
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
    pub(super) numbered: Vec<(&'static str, usize)>,
    pub(super) typed: TypedFields,
}

impl PageDeclaration {
    pub(super) fn new(contract: Contract, signs_in: bool) -> Self {
        Self {
            contract,
            fields: &[],
            signs_in,
            ignores_others: false,
            max_bytes: FORM_BYTES,
            file: None,
            numbered: Vec::new(),
            typed: &[],
        }
    }

    /// Query parameters of a GET, form fields of a POST. Any other is refused.
    pub fn takes(&mut self, fields: &'static [&'static str]) -> &mut Self {
        self.fields = fields;
        self
    }

    /// A form of at most this many encoded bytes: for long texts.
    pub fn holds(&mut self, bytes: usize) -> &mut Self {
        self.max_bytes = bytes;
        self
    }

    /// Also fields `prefix-0`, `prefix-1` …, up to this number of them. For several prefixes it is called again.
    pub fn takes_numbered(&mut self, prefix: &'static str, count: usize) -> &mut Self {
        self.numbered.push((prefix, count));
        self
    }

    /// The fields into which people type, each with its label; the name of numbered fields is their prefix. A page that
    /// cannot show the form again shows their texts: never name a secret here.
    pub fn typed(&mut self, fields: TypedFields) -> &mut Self {
        self.typed = fields;
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

    /// Whether it is declared.
    pub(super) fn has_field(&self, name: &str) -> bool {
        let hidden: &[&'static str] = if self.is_form() { &[CSRF, KEY] } else { &[] };
        self.fields.iter().chain(hidden).any(|known| *known == name) || self.is_numbered(name)
    }

    fn is_numbered(&self, name: &str) -> bool {
        self.numbered.iter().any(|(prefix, count)| {
            let number = name.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('-'));
            let number = number.filter(|digits| *digits == "0" || !digits.starts_with(['0', '+']));
            number.and_then(|digits| digits.parse().ok()).is_some_and(|number: usize| number < *count)
        })
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
    pub(super) name: Text,
    pub(super) count: Option<Count>,
}

impl Link {
    /// The key that follows it, with the script: the first letter of its name in English.
    // The same in all languages: two names of a language may begin with one letter.
    pub(super) fn key(&self) -> String {
        self.name.english().chars().take(1).flat_map(char::to_lowercase).collect()
    }
}

/// How much waits on the page of a link, for people who have signed in: `3`, or nothing.
pub type Count = fn(SignedIn) -> LocalBoxFuture<'static, Result<Option<String>, Error>>;
