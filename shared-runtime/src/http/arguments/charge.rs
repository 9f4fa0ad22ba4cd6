//! A second rate limit, for a subject that only the verb knows.

use std::{fmt::Display, marker::PhantomData};

use shared_model::{Error, Refusal};

use crate::{
    context::Context,
    http::{
        argument::{AdmittedRequest, Argument},
        contract::Contract,
        source_address,
    },
    state::rate_limit::LimitClass,
};

/// A limit that a verb charges. It is a type, so that the contract can name it.
pub trait VerbLimit: 'static {
    const CLASS: &'static LimitClass;
}

/// Charges requests to `L`, per subject and source address.
pub struct Charge<L> {
    context: Context,
    address: String,
    limit: PhantomData<fn() -> L>,
}

impl<L: VerbLimit> Charge<L> {
    /// 429 when the limit is used up.
    pub async fn charge(&self, subject: impl Display) -> Result<(), Refusal> {
        // With the address, so that nobody can use up the limit of a subject whose name is public.
        let window = self.context.rate_limiter.charge(L::CLASS, &format!("{subject} {}", self.address)).await;
        if window.exhausted { Err(window.refusal()) } else { Ok(()) }
    }
}

impl<L: VerbLimit> Argument for Charge<L> {
    fn describe(contract: &mut Contract) {
        contract.charges(L::CLASS);
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        let address = source_address::from_request(request.http, &request.context.settings.trusted_proxies);
        Ok(Self { context: request.context.clone(), address, limit: PhantomData })
    }
}
