//! The caller and their permission: the first argument of every verb.

use std::{marker::PhantomData, ops::Deref, sync::Arc};

use shared_model::{Error, Refusal, refusal::NextStep};

use crate::{
    http::{
        argument::{AdmittedRequest, Argument},
        contract::{Access, Contract, Required},
        resource_for_host,
    },
    identity::Identity,
};

/// What a caller must hold. It is a type, so that no verb can reach data without naming its permission.
pub trait Permission: 'static {
    const SCOPE: &'static str;
    const IMPLIED_BY: &'static [&'static str] = &[];

    /// The next action when `check` refuses; `None`: request the scope.
    const UNLESS_CHECKED: Option<NextStep> = None;

    /// Further conditions on the grant.
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
    pub(in crate::http) fn admitted(identity: Arc<Identity>) -> Self {
        Self { identity, permission: PhantomData }
    }

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
            // Only reached by calls from pages and tools, which have no admission of their own.
            None => Err(resource_for_host::challenge(request.context, request.http).missing_token().into()),
        }
    }
}

/// Any caller of a public operation.
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
