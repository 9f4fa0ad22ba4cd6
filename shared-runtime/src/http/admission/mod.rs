//! Everything that stands before a verb, in one order, so that status codes are deterministic (design: order of checks):
//! authentication 401/503 → bucket 429 → scope 403 → size 413 → media type 415 → JSON 400; headers, fields and the
//! rest follow in the verb's arguments.

mod body;
mod source_address;

use std::sync::Arc;

use actix_web::{HttpMessage, HttpRequest, http::header, web};
use serde_json::Value;
use shared_model::{Error, Refusal, code};

use crate::{
    context::Context,
    http::routes::{BodyPolicy, Operation},
    identity::{Identity, challenge},
    state::rate_limit::LimitClass,
};

/// What admission found out; the verb's arguments are taken from it.
#[derive(Default)]
pub struct Admitted {
    /// Who calls, where the operation is not public.
    pub identity: Option<Arc<Identity>>,
    /// The body as strict JSON: always an object.
    pub body: Option<Value>,
}

/// Requests without a token, per source address, before their 401.
pub const ANONYMOUS: LimitClass = LimitClass { name: "anonymous", per_minute: 300 };

/// Lets a request in, or says why not. The outcome is in the request's extensions.
pub async fn admit(
    context: &Context,
    request: &HttpRequest,
    payload: web::Payload,
    operation: &Operation,
) -> Result<(), Error> {
    let mut admitted = Admitted::default();
    match &operation.permission {
        None => charge(context, request, operation.limit, &address(context, request)).await?,
        Some(required) => {
            let identity = authenticate(context, request).await?;
            charge(context, request, operation.limit, &identity.grant_id).await?;
            required.judge(context, &identity)?;
            admitted.identity = Some(identity);
        }
    }
    if operation.body != BodyPolicy::None {
        admitted.body = body::read(request, payload, operation, context.settings.body_timeout).await?;
    }
    request.extensions_mut().insert(admitted);
    Ok(())
}

/// The network address that a request is charged to: an IPv4 address or an IPv6 /64.
pub fn address(context: &Context, request: &HttpRequest) -> String {
    source_address::of(request, &context.settings.trusted_proxies)
}

async fn authenticate(context: &Context, request: &HttpRequest) -> Result<Arc<Identity>, Error> {
    let mut headers = request.headers().get_all(header::AUTHORIZATION);
    let token = match (headers.next(), headers.next()) {
        (Some(value), None) if is_bearer(value.as_bytes()) => value.to_str().ok().and_then(bearer),
        (Some(_), Some(_)) => None,
        _ => {
            charge(context, request, &ANONYMOUS, &address(context, request)).await?;
            return Err(challenge::missing_token(context).into());
        }
    };
    let refused = match token {
        Some(token) => match context.verifier.authenticate(context, token).await {
            Ok(identity) => return Ok(identity),
            // Also when nobody can tell: an unknown key costs a look at the issuer, and anyone can make keys up.
            Err(Error::Refused(refusal)) => *refusal,
            Err(failed) => return Err(failed),
        },
        None => challenge::invalid_token(context),
    };
    // A wrong token costs what no token costs: guessing is not free.
    charge(context, request, &ANONYMOUS, &address(context, request)).await?;
    Err(refused.into())
}

/// Whether the header is of the Bearer scheme; another scheme is no token (RFC 6750 §3.1).
fn is_bearer(header: &[u8]) -> bool {
    let scheme = header.split(|byte| *byte == b' ').next().unwrap_or_default();
    scheme.eq_ignore_ascii_case(b"bearer")
}

/// The token of an `Authorization: Bearer` header (RFC 6750 §2.1; the scheme's name is case-insensitive).
fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_start_matches(' ')).filter(|token| !token.is_empty())
}

async fn charge(
    context: &Context,
    request: &HttpRequest,
    class: &'static LimitClass,
    subject: &str,
) -> Result<(), Refusal> {
    let window = context.rate_limiter.charge(class, subject).await;
    request.extensions_mut().insert(window);
    if window.exhausted { Err(window.refusal()) } else { Ok(()) }
}

/// 415 for another media type than `application/json` with at most `charset=utf-8`.
fn unsupported() -> Refusal {
    code::UNSUPPORTED_MEDIA_TYPE.refusal().header("accept", "application/json")
}
