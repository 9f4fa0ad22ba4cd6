//! By which of its names a request asks for the service: a client over TLS must not be told of another resource than
//! that.

use actix_web::{HttpRequest, http::header};

use crate::{context::Context, identity::challenge::Challenge};

/// The challenges of the resource that the request asks for.
pub fn challenge<'c>(context: &'c Context, request: &HttpRequest) -> &'c Challenge {
    context.verifier.challenge(request.headers().get(header::HOST).and_then(|host| host.to_str().ok()))
}
