//! `If-None-Match`: the versions that the caller has already (RFC 9110 §13.1.2).

use shared_model::{Error, Etag};

use crate::http::{
    argument::{AdmittedRequest, Argument},
    contract::Contract,
};

/// The entity tags that the caller has already (`If-None-Match`), if any.
#[derive(Clone, Debug)]
pub struct IfNoneMatch(Option<String>);

impl IfNoneMatch {
    /// Whether the caller has this version already, so that 304 is answer enough.
    pub fn has(&self, current: Etag) -> bool {
        self.0.as_deref().is_some_and(|header| current.is_named_by(header))
    }
}

impl Argument for IfNoneMatch {
    fn describe(contract: &mut Contract) {
        contract.takes_header("If-None-Match", false, "Entity tags you have already; a match is answered with 304.");
        contract.success.may_be_not_modified = true;
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        let values: Vec<_> =
            request.headers().get_all("if-none-match").filter_map(|value| value.to_str().ok()).collect();
        Ok(Self((!values.is_empty()).then(|| values.join(", "))))
    }
}
