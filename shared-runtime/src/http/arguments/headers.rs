//! Headers that a verb reads.

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
        if self.0 == etag::IfMatch::Exactly(current) { Ok(()) } else { Err(code::stale(href, current)) }
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
            request.http.headers().get_all("if-none-match").filter_map(|value| value.to_str().ok()).collect();
        Ok(Self((!values.is_empty()).then(|| values.join(", "))))
    }
}

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
