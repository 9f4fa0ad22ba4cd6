//! Who calls, and what they may do: the first argument of every verb.

use std::{fmt, marker::PhantomData, ops::Deref, sync::Arc};

use actix_web::{HttpMessage, HttpRequest};
use shared_model::{Error, Refusal, code};

use crate::{
    context::Context,
    http::{admission::Admitted, arguments::Argument, openapi::OperationDoc, routes::Operation},
    identity::Identity,
};

/// What a caller must hold; a type, so that no verb reaches data without naming it.
pub trait Permission: 'static {
    /// The scope that a token is asked to have.
    const SCOPE: &'static str;
    /// Scopes that imply it.
    const IMPLIED_BY: &'static [&'static str] = &[];

    /// Anything else that the grant must be.
    fn check(identity: &Identity) -> Result<(), Refusal> {
        let _ = identity;
        Ok(())
    }
}

/// The rule of a [`Permission`], without its type.
#[derive(Clone, Copy)]
pub struct Required {
    /// The scope to ask for.
    pub scope: &'static str,
    implied_by: &'static [&'static str],
    check: fn(&Identity) -> Result<(), Refusal>,
}

impl Required {
    /// The rule of `P`.
    pub fn of<P: Permission>() -> Self {
        Self { scope: P::SCOPE, implied_by: P::IMPLIED_BY, check: P::check }
    }

    /// 403 `insufficient_scope` unless the identity has the scope or one that implies it, and passes the check.
    pub fn judge(&self, context: &Context, identity: &Identity) -> Result<(), Refusal> {
        let held = |scope: &str| identity.scopes.iter().any(|held| held == scope);
        if !held(self.scope) && !self.implied_by.iter().any(|scope| held(scope)) {
            return Err(insufficient_scope(context, self.scope));
        }
        (self.check)(identity).map_err(|refusal| refusal.header("www-authenticate", challenge(context, self.scope)))
    }
}

impl fmt::Debug for Required {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.scope)
    }
}

fn challenge(context: &Context, scope: &str) -> String {
    crate::identity::challenge::header(context, Some(("insufficient_scope", scope)))
}

fn insufficient_scope(context: &Context, scope: &'static str) -> Refusal {
    code::INSUFFICIENT_SCOPE
        .because(format!("The access token lacks the scope {scope}."))
        .next(shared_model::NextAction::RequestScope { scope: scope.to_owned() })
        .header("www-authenticate", challenge(context, scope))
}

/// An authenticated caller that holds `P`.
pub struct Caller<P> {
    identity: Arc<Identity>,
    permission: PhantomData<fn() -> P>,
}

impl<P> Deref for Caller<P> {
    type Target = Identity;
    fn deref(&self) -> &Identity {
        &self.identity
    }
}

impl<P> Caller<P> {
    /// The caller's identity, for a transaction that outlives the request.
    pub fn identity(&self) -> Arc<Identity> {
        Arc::clone(&self.identity)
    }
}

impl<P: Permission> Argument for Caller<P> {
    fn describe(doc: &mut OperationDoc) {
        doc.requires(Required::of::<P>());
    }

    fn extract(request: &HttpRequest, _: &Operation) -> Result<Self, Error> {
        let extensions = request.extensions();
        let admitted = extensions.get::<Admitted>().and_then(|admitted| admitted.identity.clone());
        match admitted {
            Some(identity) => Ok(Self { identity, permission: PhantomData }),
            None => Err(code::UNAUTHORIZED.refusal().into()),
        }
    }
}

/// Whoever calls a public operation.
#[derive(Clone, Copy, Debug)]
pub struct Anyone;

impl Argument for Anyone {
    fn describe(doc: &mut OperationDoc) {
        doc.is_public();
    }

    fn extract(_: &HttpRequest, _: &Operation) -> Result<Self, Error> {
        Ok(Self)
    }
}
