//! Everything that happens before a verb, in one order. So the status code does not depend on timing.
//!
//! Token 401/503 → rate limit 429 → bounds 429 → scope 403 → query of an operation that takes none 400. Then size 413 →
//! media type 415 → JSON 400. A JSON body that is empty is 400 before 415. The verb's arguments follow.

mod body;

use std::sync::Arc;

use actix_web::{HttpMessage, HttpRequest, http::header, web};
use shared_model::{Error, Refusal};

use super::{
    argument::AdmittedRequest,
    arguments::{
        caller::{Caller, Permission},
        query,
    },
    contract::{Contract, Required},
    flow,
    grant_check::GrantCheck,
    resource_for_host::challenge,
    source_address,
};
use crate::{
    context::Context,
    identity::{Identity, challenge::Challenge},
    state::{bounds::Holder, rate_limit::LimitClass},
};

/// Per source address: requests without a valid token, and requests that match no operation.
pub const ANONYMOUS: LimitClass = LimitClass { name: "anonymous", per_minute: 300 };

/// Requests for pages: per grant of the person who has signed in, otherwise per source address.
pub const PAGES: LimitClass = LimitClass { name: "pages", per_minute: 240 };

/// Admits a request or refuses it. The rate-limit window is left in the request's extensions for the edge.
pub async fn admit<'r>(
    context: &'r Context,
    request: &'r HttpRequest,
    payload: web::Payload,
    contract: &'r Contract,
) -> Result<AdmittedRequest<'r>, Error> {
    // Authentication comes before the rate limit because a grant's requests are counted per grant, wherever they come
    // from.
    let identity = match contract.required() {
        None => {
            let address = address(context, request);
            charge(context, request, contract.limit, &address).await?;
            hold(context, request, Holder::Address(&address))?;
            None
        }
        Some(required) => {
            let identity = authenticate(context, request).await?;
            charge(context, request, contract.limit, &identity.grant_id).await?;
            hold(context, request, Holder::Grant(&identity.grant_id))?;
            require(challenge(context, request), required, &identity)?;
            Some(identity)
        }
    };
    // Before the body: a misspelled parameter must not cost the upload of 16 MiB.
    query::refuse_unless_taken(request.query_string(), contract)?;
    let check = identity.as_ref().map(|identity| GrantCheck::new(context, request, identity));
    let body = body::read(request, payload, contract, (context.settings.body_timeout, check)).await?;
    // The body is read last: nobody without a right can make the service buffer one.
    Ok(AdmittedRequest { http: request, contract, context, identity, body, virtual_request: None })
}

/// 403 unless the identity has the scope, or one that implies it, and passes the permission's own check.
pub(super) fn require(challenge: &Challenge, required: Required, identity: &Identity) -> Result<(), Refusal> {
    let Required { scope, implied_by, check, .. } = required;
    let has = |scope: &str| identity.scopes.iter().any(|own| own == scope);
    if !has(scope) && !implied_by.iter().any(|scope| has(scope)) {
        return Err(challenge.insufficient_scope(scope));
    }
    check(identity).map_err(|refusal| challenge.demand_scope(refusal, scope))
}

/// The caller that holds `P`; 403 without it.
pub(crate) fn caller<P: Permission>(challenge: &Challenge, identity: &Arc<Identity>) -> Result<Caller<P>, Refusal> {
    let (scope, implied_by) = (P::SCOPE, P::IMPLIED_BY);
    let required = Required { scope, implied_by, check: P::check, unless_checked: P::UNLESS_CHECKED };
    require(challenge, required, identity)?;
    Ok(Caller::admitted(Arc::clone(identity)))
}

pub(crate) fn address(context: &Context, request: &HttpRequest) -> String {
    source_address::from_request(request, &context.settings.trusted_proxies)
}

async fn authenticate(context: &Context, request: &HttpRequest) -> Result<Arc<Identity>, Error> {
    let mut headers = request.headers().get_all(header::AUTHORIZATION);
    let challenge = challenge(context, request);
    let refused = match (headers.next(), headers.next()) {
        (None, _) => challenge.missing_token(),
        // Proxies and services could disagree which of two tokens counts.
        (Some(_), Some(_)) => challenge.malformed_header(true),
        (Some(value), None) if !is_bearer(value.as_bytes()) => challenge.not_bearer(),
        (Some(value), None) => match value.to_str().ok().and_then(bearer) {
            None => challenge.malformed_header(false),
            Some(token) => match context.verifier.authenticate(token, challenge).await {
                Ok(identity) => return Ok(identity),
                // 503 is charged too: an unknown key id can cost a fetch from the issuer, and anyone can invent one.
                Err(Error::Refused(refusal)) => *refusal,
                Err(failed) => return Err(failed),
            },
        },
    };
    // A wrong token costs as much as no token, so that guessing is not free.
    charge_anonymous(context, request).await?;
    Err(refused.into())
}

/// Whether the scheme is Bearer; with another scheme the request has no token (RFC 6750 §3.1).
fn is_bearer(header: &[u8]) -> bool {
    let scheme = header.split(|byte| *byte == b' ').next().unwrap_or_default();
    scheme.eq_ignore_ascii_case(b"bearer")
}

/// The token of an `Authorization: Bearer` header (RFC 6750 §2.1; the scheme's name is case-insensitive).
fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_start_matches(' ')).filter(|token| !token.is_empty())
}

/// Counts the request among those in progress, until the client has taken its answer; 429 beyond a bound.
pub(crate) fn hold(context: &Context, request: &HttpRequest, holder: Holder<'_>) -> Result<(), Error> {
    // Calls from within the request are part of it, and count no second time.
    flow::of(request)?.hold(context.bounds.begin(holder)?);
    Ok(())
}

/// Charges a request that matches no operation to its source address.
pub(crate) async fn charge_anonymous(context: &Context, request: &HttpRequest) -> Result<(), Refusal> {
    charge(context, request, &ANONYMOUS, &address(context, request)).await
}

pub(crate) async fn charge(
    context: &Context,
    request: &HttpRequest,
    class: &'static LimitClass,
    subject: &str,
) -> Result<(), Refusal> {
    // Stored also when the request is refused, because a 429 needs the headers most.
    let window = context.rate_limiter.charge(class, subject).await;
    request.extensions_mut().insert(window);
    if window.exhausted { Err(window.refusal()) } else { Ok(()) }
}
