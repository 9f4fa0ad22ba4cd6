//! A limit beside that of the route, for a subject that only the verb knows.

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

/// A limit that a verb charges itself; a type, so that the operation's contract names it.
pub trait VerbLimit: 'static {
    /// Its class.
    const CLASS: &'static LimitClass;
}

/// Charges requests to `L`, per subject and source address. The address is part of it so that nobody can use up the limit of
/// a subject whose name is public.
pub struct Charge<L> {
    context: Context,
    address: String,
    limit: PhantomData<fn() -> L>,
}

impl<L: VerbLimit> Charge<L> {
    /// Charges this request to `subject`; 429 when it is one too many.
    pub async fn charge(&self, subject: impl Display) -> Result<(), Refusal> {
        let window = self.context.rate_limiter.charge(L::CLASS, &format!("{subject} {}", self.address)).await;
        if window.exhausted { Err(window.refusal()) } else { Ok(()) }
    }
}

impl<L: VerbLimit> Argument for Charge<L> {
    fn describe(contract: &mut Contract) {
        contract.charges(L::CLASS);
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        let address = source_address::of(request.http, &request.context.settings.trusted_proxies);
        Ok(Self { context: request.context.clone(), address, limit: PhantomData })
    }
}
