//! What differs from one service to the next: names, envelope, status codes (spec: General rules, Errors).

use shared_model::{Code, Envelope, code};

/// The constants of one service.
#[derive(Debug)]
pub struct Surface {
    /// `locker`, `cloud`, `orders` or `trust`.
    pub name: &'static str,
    /// The title of its OpenAPI document.
    pub title: &'static str,
    /// What it is for, in the OpenAPI document.
    pub about: &'static str,
    /// The operation version (spec: Versioning).
    pub version: &'static str,
    /// The port of its API unless the settings say otherwise; the operator's endpoints listen 100 above.
    pub port: u16,
    /// What its answers are wrapped in.
    pub envelope: Envelope,
    /// What a field that breaks its rule is refused with: Locker declares 400 for all invalid input, the others 422.
    pub invalid_field: &'static Code,
    /// What a method that a resource lacks is answered with: Locker declares 404, the others 405.
    pub wrong_method: &'static Code,
    /// Bytes of a request body at most, unless a route says otherwise.
    pub body_bytes: usize,
    /// The claims that its tokens must carry beside the common ones.
    pub claims: &'static [Claim],
    /// Its own refusals.
    pub codes: &'static [&'static Code],
}

/// A claim that the tokens of some surfaces carry beside iss, aud, exp, iat, sub, jti, scope and grant_id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// `workspace_id`: the workspace that the grant selects.
    WorkspaceId,
    /// `actor`: who acts under the grant.
    Actor,
    /// `grant_kind`: `owner` or another kind.
    GrantKind,
}

impl Surface {
    /// Every code that the service can answer with.
    pub fn all_codes(&self) -> impl Iterator<Item = &'static Code> {
        code::ALL.iter().chain(self.codes).copied()
    }
}
