//! The constants that differ between the services: names, envelope, status codes.

use shared_model::{Code, Envelope, code};

/// Where every service serves its icon, to everybody.
pub const ICON_PATH: &str = "/assets/icon.svg";

#[derive(Debug)]
pub struct Surface {
    /// `locker`, `cloud`, `orders` or `trust`.
    pub name: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    /// Clients send and receive it as the version of the operations.
    pub version: &'static str,
    /// The default port of the API. The operator's endpoints listen 100 above.
    pub port: u16,
    pub envelope: Envelope,
    /// Refusal of a field that breaks its rule: 400 in Locker, 422 in the others.
    pub invalid_field: &'static Code,
    /// Refusal of a method that a resource lacks: 404 in Locker, 405 in the others.
    pub wrong_method: &'static Code,
    /// Largest request body, unless a route sets another limit.
    pub body_bytes: usize,
    /// Claims that its tokens need in addition to the common ones.
    pub claims: &'static [Claim],
    /// Its own codes, in addition to [`code::ALL`].
    pub codes: &'static [&'static Code],
}

/// A claim in addition to iss, aud, exp, iat, sub, jti, scope and grant_id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The workspace that the grant selects.
    WorkspaceId,
    Actor,
    GrantKind,
}

impl Surface {
    /// The shared codes, then its own.
    pub fn all_codes(&self) -> impl Iterator<Item = &'static Code> {
        code::ALL.iter().chain(self.codes).copied()
    }
}
