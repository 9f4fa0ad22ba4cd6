//! Waiting for news within a request.

use shared_model::{Error, Refusal};

use crate::http::{
    argument::{AdmittedRequest, Argument},
    contract::Contract,
    flow::{self, Flow, Waiting},
};

/// Lets a verb wait for news.
pub struct LongPoll(Flow);

impl LongPoll {
    /// Counts the request among the waiting polls of its grant, and watches whether the client leaves. 429 if there are
    /// too many.
    pub fn begin(&self) -> Result<Waiting, Refusal> {
        self.0.wait()
    }
}

impl Argument for LongPoll {
    // The code of its refusal is one that every operation has.
    fn describe(_: &mut Contract) {}

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        Ok(Self(flow::of(request.http)?.clone()))
    }
}
