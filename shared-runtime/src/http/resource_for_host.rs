//! Which of the service's resource identifiers (http or https, the service or `/mcp`) matches the request.

use actix_web::{HttpRequest, http::header};

use crate::{context::Context, identity::challenge::Challenge};

/// The challenges that name this resource.
pub fn challenge<'c>(context: &'c Context, request: &HttpRequest) -> &'c Challenge {
    // A client refuses metadata of another resource than the one it called (RFC 9728 §3.3). So a client over TLS must
    // not be sent to the http resource.
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    context.verifier.challenge(host, request.path())
}
