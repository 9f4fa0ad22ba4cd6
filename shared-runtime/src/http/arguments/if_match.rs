//! `If-Match` (RFC 9110 §13.1.1): the version that a change is based on. 412 when it is not the current one.

use shared_model::{Error, Etag, Refusal, code, etag};

use crate::http::{
    argument::{AdmittedRequest, Argument, CallOrigin},
    contract::Contract,
};

/// Exactly one entity tag; otherwise 428 or 400.
#[derive(Clone, Copy, Debug)]
pub struct IfMatch(etag::IfMatch);

impl IfMatch {
    /// 412 with the current tag, unless it is the caller's; `href` is where to read the current version.
    pub fn require(self, current: Etag, href: impl Into<String>) -> Result<(), Refusal> {
        // A weak tag gets its own sentence: proxies that compress answers weaken tags, and the client cannot know.
        match self.0 {
            seen if seen.matches(current) => Ok(()),
            etag::IfMatch::Weak => Err(code::stale(href, current).because(
                "If-Match has a weak tag, which never matches: send the tag exactly as you read it, without W/.",
            )),
            _ => Err(code::stale(href, current)),
        }
    }

    /// Whether the tag may belong to an earlier version.
    pub fn may_be_stale(self) -> bool {
        matches!(self.0, etag::IfMatch::Exactly(_) | etag::IfMatch::Beginning(_))
    }
}

impl Argument for IfMatch {
    fn describe(contract: &mut Contract) {
        contract.takes_header("If-Match", true, "The entity tag of the version that you read.");
        contract.refuses(&code::IF_MATCH_REQUIRED);
        contract.refuses(&code::ETAG_MISMATCH);
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        match request.single_header("If-Match")? {
            None => Err(code::IF_MATCH_REQUIRED.refusal().into()),
            Some(text) => {
                // Over HTTP a tag has one form (RFC 9110). Tools may shorten it.
                let parsed = match request.origin() {
                    CallOrigin::Mcp | CallOrigin::ConfirmedMcp => etag::IfMatch::parse_short(text),
                    CallOrigin::Rest | CallOrigin::Page => etag::IfMatch::parse(text),
                };
                parsed.map(Self).map_err(|rule| code::invalid_parameter("If-Match", rule).into())
            }
        }
    }
}
