//! Bodies for the empty answers that actix-http gives to unreadable requests, below all routes.

use shared_model::{ErrorBody, NextAction, Problem, code, error_body::ErrorDetail};

use crate::base::request_id::RequestId;

/// How actix-http's answer begins, and the rule that the request broke.
const KINDS: [(&[u8], &str); 3] = [
    (
        b"HTTP/1.1 400 ",
        "must be HTTP/1.1 (RFC 9112): a request line, well-formed headers with one Host, and one framing of the body",
    ),
    (b"HTTP/1.1 408 ", "must have sent its head within 5 seconds of the connection"),
    (b"HTTP/1.1 431 ", "must have a head of at most 128 KiB, with at most 96 headers"),
];
const EMPTY: &[u8] = b"\r\ncontent-length: 0\r\n";
const END: &[u8] = b"\r\n\r\n";

/// The complete answer to replace an empty one of actix-http; `None` for any other bytes.
pub(crate) fn answer(head: &[u8]) -> Option<Vec<u8>> {
    let (_, rule) = KINDS.iter().find(|(status, _)| head.starts_with(status))?;
    let head = head.strip_suffix(END)?;
    // The edge never sends an empty body with one of these statuses, so these bytes are actix-http's.
    let at = head.windows(EMPTY.len()).position(|window| window == EMPTY)?;
    let (before, after) = (&head[..at], &head[at + EMPTY.len()..]);
    let id = RequestId::random();
    let refusal = code::INVALID_REQUEST.because(format!("The request {rule}."));
    let problems = vec![Problem { at: String::new(), rule: (*rule).to_owned() }];
    let body = serde_json::to_vec(&ErrorBody {
        error: ErrorDetail {
            code: refusal.code.name.to_owned(),
            message: refusal.message.into_owned(),
            request_id: id.as_str().to_owned(),
            retryable: false,
            next_action: NextAction::CorrectRequest { problems },
        },
    });
    let body = body.ok()?;
    tracing::debug!(request_id = id.as_str(), rule, "refused");
    let headers = format!(
        "\r\ncontent-length: {}\r\ncontent-type: application/json\r\ncache-control: no-store\r\n\
         x-content-type-options: nosniff\r\nx-request-id: {id}\r\n",
        body.len(),
        id = id.as_str()
    );
    Some([before, headers.as_bytes(), after, END, &body].concat())
}
