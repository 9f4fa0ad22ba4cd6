//! An `If-Match` that only some requests for an operation need.

use shared_model::{Error, Refusal, code};

use super::IfMatch;
use crate::http::{
    argument::{AdmittedRequest, Argument},
    contract::Contract,
};

/// The entity tag of the version that the caller changes, where the request changes an existing object.
#[derive(Clone, Copy, Debug)]
pub struct OptionalIfMatch(Option<IfMatch>);

impl OptionalIfMatch {
    /// 428 without a tag.
    pub fn required(self) -> Result<IfMatch, Refusal> {
        self.0.ok_or_else(|| code::IF_MATCH_REQUIRED.refusal())
    }

    pub fn given(self) -> Option<IfMatch> {
        self.0
    }

    /// 400 with a tag: a precondition that protects nothing must not be ignored silently.
    pub fn must_be_absent(self) -> Result<(), Refusal> {
        match self.0 {
            None => Ok(()),
            Some(_) => Err(code::invalid_parameter("If-Match", "must be absent when no existing object is changed")),
        }
    }
}

impl Argument for OptionalIfMatch {
    fn describe(contract: &mut Contract) {
        contract.takes_header("If-Match", false, "The entity tag of the version that you change.");
        contract.refuses(&code::IF_MATCH_REQUIRED);
        contract.refuses(&code::ETAG_MISMATCH);
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        match request.single_header("If-Match")? {
            None => Ok(Self(None)),
            Some(_) => IfMatch::extract(request).map(|seen| Self(Some(seen))),
        }
    }
}
