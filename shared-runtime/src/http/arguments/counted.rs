//! The grant or address that a public request counts for.

use shared_model::{Error, Refusal};

use crate::{
    context::Context,
    http::{
        argument::{AdmittedRequest, Argument},
        contract::Contract,
        flow::{self, Flow},
    },
    state::bounds::Holder,
};

/// Counts a request without a token to the grant that made its link.
pub struct Counted {
    flow: Flow,
    context: Context,
}

impl Counted {
    /// From now on it counts to this grant, and no longer to its address. 429 if the grant has too much in progress.
    pub fn to_grant(&self, grant_id: &str) -> Result<(), Refusal> {
        self.flow.hold(self.context.bounds.begin(Holder::Grant(grant_id))?);
        Ok(())
    }
}

impl Argument for Counted {
    // The code of its refusal is one that every operation has.
    fn describe(_: &mut Contract) {}

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        Ok(Self { flow: flow::of(request.http)?.clone(), context: request.context.clone() })
    }
}
