//! `If-Match`: the version that a change is for, and 412 when it is not the current one (RFC 9110 §13.1.1).

use shared_model::{Error, Etag, Refusal, code, etag};

use crate::http::{
    argument::{AdmittedRequest, Argument},
    contract::Contract,
};

/// The entity tag that the caller has seen (`If-Match`): exactly one, or 428 / 400.
#[derive(Clone, Copy, Debug)]
pub struct IfMatch(etag::IfMatch);

impl IfMatch {
    /// 412 with the current tag unless the caller has seen it; `href` is where to read again.
    pub fn require(self, current: Etag, href: impl Into<String>) -> Result<(), Refusal> {
        match self.0 {
            etag::IfMatch::Exactly(seen) if seen == current => Ok(()),
            etag::IfMatch::Weak => Err(code::stale(href, current).because(
                "If-Match has a weak tag, which never matches: send the tag as you have read it, without W/.",
            )),
            etag::IfMatch::Exactly(_) | etag::IfMatch::Foreign => Err(code::stale(href, current)),
        }
    }

    /// Whether it is a tag that may have named an earlier state.
    pub fn may_be_stale(self) -> bool {
        matches!(self.0, etag::IfMatch::Exactly(_))
    }
}

impl Argument for IfMatch {
    fn describe(contract: &mut Contract) {
        contract.takes_header("If-Match", true, "The entity tag of the version you have seen.");
        contract.refuses(&code::IF_MATCH_REQUIRED);
        contract.refuses(&code::ETAG_MISMATCH);
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        match request.single_header("If-Match")? {
            None => Err(code::IF_MATCH_REQUIRED.refusal().into()),
            Some(text) => {
                etag::IfMatch::parse(text).map(Self).map_err(|rule| code::invalid_parameter("If-Match", rule).into())
            }
        }
    }
}
