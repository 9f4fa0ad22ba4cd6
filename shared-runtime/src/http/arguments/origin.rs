//! `Origin` (RFC 6454 §7): the web site whose page sent the request.

use shared_model::Error;

use crate::http::{
    argument::{AdmittedRequest, Argument},
    contract::Contract,
};

/// `None` outside of browsers; an opaque origin is the text `null`.
#[derive(Clone, Debug)]
pub struct Origin(pub Option<String>);

impl Argument for Origin {
    fn describe(contract: &mut Contract) {
        contract.takes_header("Origin", false, "Sent by browsers: the site that the request comes from.");
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        Ok(Self(request.single_header("Origin")?.map(str::to_owned)))
    }
}
