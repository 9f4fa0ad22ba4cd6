//! What a page takes, and what is around all pages of a service: data that the way of a request reads.

use actix_web::http::Method;

use super::forms;
use crate::http::contract::Contract;

/// One page, as it is declared.
pub struct Declared {
    /// Its name, method, path and limit, for the frame of every request.
    pub(super) contract: Contract,
    pub(super) fields: &'static [&'static str],
    pub(super) signs_in: bool,
    pub(super) ignores_others: bool,
}

impl Declared {
    /// Takes these: query parameters of a GET, fields of a form that is submitted. Any other is refused.
    pub fn takes(&mut self, fields: &'static [&'static str]) -> &mut Self {
        self.fields = fields;
        self
    }

    /// Ignores other parameters: an authorization server may add some (RFC 6749 §4.1.2).
    pub(super) fn ignores_others(&mut self) -> &mut Self {
        self.ignores_others = true;
        self
    }

    pub(super) fn is_form(&self) -> bool {
        self.contract.method == Method::POST
    }

    /// The field with this name, where there may be one.
    pub(super) fn field(&self, name: &str) -> Option<&'static str> {
        let hidden: &[&'static str] = if self.is_form() { &[forms::CSRF, forms::KEY] } else { &[] };
        self.fields.iter().chain(hidden).copied().find(|known| *known == name)
    }
}

/// What all pages of a service have in common; in every app.
#[derive(Clone, Default)]
pub struct Site {
    /// Links in the header of every page.
    pub(super) links: Vec<Link>,
    /// The scopes that somebody who signs in is asked to grant.
    pub(super) scopes: Vec<&'static str>,
    /// The main walkthrough: operations in their order, each with what it is for.
    pub(super) guide: &'static [(&'static str, &'static str)],
}

/// A link in the header of every page.
#[derive(Clone, Copy)]
pub(super) struct Link {
    /// A path of the service.
    pub(super) path: &'static str,
    /// What it is called.
    pub(super) name: &'static str,
}
