//! An If-Match that only some uses of an operation need.

use shared_model::{Error, Refusal, code};

use super::IfMatch;
use crate::http::{
    argument::{AdmittedRequest, Argument},
    contract::Contract,
};

/// The entity tag that the caller has seen of what it changes, where the request changes something that is there.
#[derive(Clone, Copy, Debug)]
pub struct OptionalIfMatch(Option<IfMatch>);

impl OptionalIfMatch {
    /// The tag, for a request that needs it: 428 without one.
    pub fn required(self) -> Result<IfMatch, Refusal> {
        self.0.ok_or_else(|| code::IF_MATCH_REQUIRED.refusal())
    }

    /// The tag, where one is sent.
    pub fn given(self) -> Option<IfMatch> {
        self.0
    }

    /// 400 where one is sent and nothing is changed that has one: what protects nothing is not ignored.
    pub fn must_be_absent(self) -> Result<(), Refusal> {
        match self.0 {
            None => Ok(()),
            Some(_) => {
                Err(code::invalid_parameter("If-Match", "must be absent where nothing is changed that is there"))
            }
        }
    }
}

impl Argument for OptionalIfMatch {
    fn describe(contract: &mut Contract) {
        contract.takes_header("If-Match", false, "The entity tag of what is changed, as you have seen it.");
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
