//! `If-None-Match` (RFC 9110 §13.1.2): the versions that the caller has already.

use shared_model::{Error, Etag};

use crate::http::{
    argument::{AdmittedRequest, Argument},
    contract::Contract,
};

#[derive(Clone, Debug)]
pub struct IfNoneMatch(Option<String>);

impl IfNoneMatch {
    /// Whether 304 is enough.
    pub fn has(&self, current: Etag) -> bool {
        self.0.as_deref().is_some_and(|header| current.matches_if_none_match(header))
    }
}

impl Argument for IfNoneMatch {
    fn describe(contract: &mut Contract) {
        contract.takes_header(
            "If-None-Match",
            false,
            "Entity tags that you already have. If one is current, the answer is 304.",
        );
        contract.success.may_be_not_modified = true;
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        let values: Vec<_> =
            request.headers().get_all("if-none-match").filter_map(|value| value.to_str().ok()).collect();
        Ok(Self((!values.is_empty()).then(|| values.join(", "))))
    }
}
