//! Declarations of pages, and what all pages of a service share.

use actix_web::http::Method;

use super::{documents::Documents, forms};
use crate::http::contract::Contract;

pub struct PageDeclaration {
    /// Name, method, path and limit, for the edge and the metrics.
    pub(super) contract: Contract,
    pub(super) fields: &'static [&'static str],
    pub(super) signs_in: bool,
    pub(super) ignores_others: bool,
}

impl PageDeclaration {
    /// Query parameters of a GET, form fields of a POST. Any other is refused.
    pub fn takes(&mut self, fields: &'static [&'static str]) -> &mut Self {
        self.fields = fields;
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
        let hidden: &[&'static str] = if self.is_form() { &[forms::CSRF, forms::KEY] } else { &[] };
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
