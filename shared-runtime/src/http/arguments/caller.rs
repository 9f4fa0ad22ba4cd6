//! Who calls, and what they may do: the first argument of every verb.

use std::{marker::PhantomData, ops::Deref, sync::Arc};

use shared_model::{Error, Refusal, refusal::NextStep};

use crate::{
    http::{
        argument::{AdmittedRequest, Argument},
        asked_resource,
        contract::{Access, Contract, Required},
    },
    identity::Identity,
};

/// What a caller must hold; a type, so that no verb reaches data without naming it.
pub trait Permission: 'static {
    /// The scope that a token is asked to have.
    const SCOPE: &'static str;
    /// Scopes that imply it.
    const IMPLIED_BY: &'static [&'static str] = &[];

    /// The next action of whom [`Self::check`] refuses, where it is not to ask for the scope.
    const UNLESS_CHECKED: Option<NextStep> = None;

    /// Anything else that the grant must be.
    fn check(identity: &Identity) -> Result<(), Refusal> {
        let _ = identity;
        Ok(())
    }
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
    /// A caller whose permission has been checked.
    pub(in crate::http) fn admitted(identity: Arc<Identity>) -> Self {
        Self { identity, permission: PhantomData }
    }

    /// The caller's identity, for work that outlives the request.
    pub fn identity(&self) -> Arc<Identity> {
        Arc::clone(&self.identity)
    }
}

impl<P: Permission> Argument for Caller<P> {
    fn describe(contract: &mut Contract) {
        contract.requires(Required {
            scope: P::SCOPE,
            implied_by: P::IMPLIED_BY,
            check: P::check,
            unless_checked: P::UNLESS_CHECKED,
        });
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        match &request.identity {
            Some(identity) => Ok(Self { identity: Arc::clone(identity), permission: PhantomData }),
            None => Err(asked_resource::challenge(request.context, request.http).missing_token().into()),
        }
    }
}

/// The caller of a public operation, known or not.
#[derive(Clone, Copy, Debug)]
pub struct Anyone;

impl Argument for Anyone {
    fn describe(contract: &mut Contract) {
        contract.access = Access::Public;
    }

    fn extract(_: &AdmittedRequest<'_>) -> Result<Self, Error> {
        Ok(Self)
    }
}
