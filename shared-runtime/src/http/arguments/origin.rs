//! `Origin`: where in a browser a request comes from (RFC 6454 §7).

use shared_model::Error;

use crate::http::{
    argument::{AdmittedRequest, Argument},
    contract::Contract,
};

/// The `Origin` header: where in a browser the request comes from; none from elsewhere. An opaque origin is `null`.
#[derive(Clone, Debug)]
pub struct Origin(pub Option<String>);

impl Argument for Origin {
    fn describe(contract: &mut Contract) {
        contract.takes_header("Origin", false, "Sent by browsers: where the request comes from.");
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        Ok(Self(request.single_header("Origin")?.map(str::to_owned)))
    }
}
