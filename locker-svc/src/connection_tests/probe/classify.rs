//! Turns the answer to the chat request, or its absence, into a report.

use secrecy::SecretString;
use serde_json::{Map, Value};
use shared_model::json;
use shared_runtime::state::outbound::{OutboundError, Reply};

use super::{
    note,
    report::{ProbeOutcome, ProbeReport},
};

pub fn error(error: OutboundError) -> ProbeReport {
    let (outcome, reason) = match error {
        OutboundError::Url(why) => (ProbeOutcome::ConfigInvalid, Some(why)),
        OutboundError::AddressBlocked => (ProbeOutcome::AddressBlocked, None),
        OutboundError::Dns => (ProbeOutcome::DnsFailed, None),
        OutboundError::Connect => (ProbeOutcome::ConnectFailed, None),
        OutboundError::Tls(why) => (ProbeOutcome::TlsFailed, Some(why)),
        OutboundError::Timeout => (ProbeOutcome::Timeout, None),
        OutboundError::TooLarge => (ProbeOutcome::ResponseTooLarge, None),
        OutboundError::BadAnswer => (ProbeOutcome::BadResponse, Some("the answer is not HTTP/1.1, or it was cut off")),
    };
    ProbeReport { reason, ..ProbeReport::new(outcome) }
}

pub fn reply(reply: &Reply, key: Option<&SecretString>) -> ProbeReport {
    let body = json::parse_object(&reply.body).ok();
    let error = body.as_ref().map(ProviderError::from_body).unwrap_or_default();
    let (outcome, reason, text) = match reply.status.as_u16() {
        200 => match body.as_ref().and_then(completion) {
            Some(text) => (ProbeOutcome::Ok, None, text),
            None => (ProbeOutcome::BadResponse, Some("the answer is not a chat completion"), error.message),
        },
        300..400 => (ProbeOutcome::RedirectRefused, None, None),
        // No note: an endpoint that refuses a key often quotes it.
        401 | 403 => (ProbeOutcome::AuthRejected, None, None),
        // 402, 404 and 429 mean the same with every provider; 400 needs the error's code.
        402 => (ProbeOutcome::QuotaExceeded, None, error.message),
        404 => (ProbeOutcome::ModelNotFound, None, error.message),
        400 if error.is("model_not_found") => (ProbeOutcome::ModelNotFound, None, error.message),
        429 if error.is("insufficient_quota") => (ProbeOutcome::QuotaExceeded, None, error.message),
        429 => (ProbeOutcome::RateLimited, None, error.message),
        400..600 => (ProbeOutcome::ProviderError, None, error.message),
        _ => (ProbeOutcome::BadResponse, Some("a chat completion does not have this status"), None),
    };
    let note = text.and_then(|text| note::sanitize(text, &reply.body, key));
    ProbeReport { reason, http_status: Some(reply.status.as_u16()), note, ..ProbeReport::new(outcome) }
}

// Newer models call the limit `max_completion_tokens` and refuse the older name.
pub fn is_unsupported_max_tokens(reply: &Reply) -> bool {
    if !matches!(reply.status.as_u16(), 400 | 422) {
        return false;
    }
    let Ok(body) = json::parse_object(&reply.body) else { return false };
    let error = ProviderError::from_body(&body);
    let names_it = |text: Option<&str>| text.is_some_and(|text| text.contains("max_tokens"));
    let is_unsupported = error.is("unsupported_parameter")
        || error.message.is_some_and(|text| text.contains("max_completion_tokens") || text.contains("nsupported"));
    is_unsupported && (names_it(error.param) || names_it(error.message))
}

// `Some(None)` for a completion without text: a model may spend its limit on reasoning, and still works.
fn completion(body: &Map<String, Value>) -> Option<Option<&str>> {
    let message = body.get("choices")?.as_array()?.first()?.get("message")?.as_object()?;
    match message.get("content") {
        None | Some(Value::Null) => Some(None),
        Some(Value::String(text)) => Some(Some(text)),
        Some(_) => None,
    }
}

// Providers use several shapes, so every member is optional.
#[derive(Default)]
struct ProviderError<'a> {
    message: Option<&'a str>,
    param: Option<&'a str>,
    code: Option<&'a str>,
    kind: Option<&'a str>,
}

impl<'a> ProviderError<'a> {
    fn from_body(body: &'a Map<String, Value>) -> Self {
        let within = match body.get("error") {
            Some(Value::Object(error)) => error,
            Some(Value::String(message)) => return Self { message: Some(message), ..Self::default() },
            // Some providers put the members at the top level.
            _ => body,
        };
        let text = |name| within.get(name).and_then(Value::as_str);
        Self {
            message: text("message").or_else(|| text("detail")),
            param: text("param"),
            code: text("code"),
            kind: text("type"),
        }
    }

    fn is(&self, word: &str) -> bool {
        self.code == Some(word) || self.kind == Some(word)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use shared_runtime::state::outbound::{HeaderMap, StatusCode};

    use super::*;

    fn answer(status: u16, body: &str) -> Reply {
        let status = StatusCode::from_u16(status).expect("a status");
        Reply { status, headers: HeaderMap::new(), body: body.as_bytes().to_vec() }
    }

    #[test]
    fn every_answer_has_its_outcome() {
        let ok = json!({"choices": [{"message": {"role": "assistant", "content": "ready"}}]}).to_string();
        let silent = json!({"choices": [{"message": {"role": "assistant", "content": null}}]}).to_string();
        let quota = json!({"error": {"message": "pay", "type": "insufficient_quota"}}).to_string();
        let no_model = json!({"error": {"message": "no", "code": "model_not_found"}}).to_string();
        for (status, body, outcome) in [
            (200, ok.as_str(), ProbeOutcome::Ok),
            (200, silent.as_str(), ProbeOutcome::Ok),
            (200, "<html>hello</html>", ProbeOutcome::BadResponse),
            (200, "", ProbeOutcome::BadResponse),
            (200, "[]", ProbeOutcome::BadResponse),
            (200, r#"{"choices": []}"#, ProbeOutcome::BadResponse),
            (200, r#"{"choices": [{"message": {"content": 7}}]}"#, ProbeOutcome::BadResponse),
            (200, r#"{"choices": [{"text": "ready"}]}"#, ProbeOutcome::BadResponse),
            (201, ok.as_str(), ProbeOutcome::BadResponse),
            (204, "", ProbeOutcome::BadResponse),
            (101, "", ProbeOutcome::BadResponse),
            (999, "", ProbeOutcome::BadResponse),
            (301, "", ProbeOutcome::RedirectRefused),
            (307, "", ProbeOutcome::RedirectRefused),
            (400, "{}", ProbeOutcome::ProviderError),
            (400, no_model.as_str(), ProbeOutcome::ModelNotFound),
            (401, "{}", ProbeOutcome::AuthRejected),
            (402, "{}", ProbeOutcome::QuotaExceeded),
            (403, "{}", ProbeOutcome::AuthRejected),
            (404, "<html>", ProbeOutcome::ModelNotFound),
            (418, "", ProbeOutcome::ProviderError),
            (429, "{}", ProbeOutcome::RateLimited),
            (429, quota.as_str(), ProbeOutcome::QuotaExceeded),
            (500, "{}", ProbeOutcome::ProviderError),
            (503, "", ProbeOutcome::ProviderError),
        ] {
            assert_eq!(super::reply(&answer(status, body), None).outcome, outcome, "{status} {body}");
        }
    }

    #[test]
    fn only_an_unsupported_limit_is_tried_again() {
        let error_of = |message: &str, param: &str, code: &str| {
            json!({"error": {"message": message, "param": param, "code": code}}).to_string()
        };
        for (status, body, wants) in [
            (
                400,
                error_of(
                    "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
                    "max_tokens",
                    "unsupported_parameter",
                ),
                true,
            ),
            (422, error_of("use max_completion_tokens, not max_tokens", "", ""), true),
            (400, error_of("max_tokens is too large", "max_tokens", "invalid_value"), false),
            (400, error_of("unknown model", "model", "model_not_found"), false),
            (401, error_of("Unsupported parameter: max_tokens", "max_tokens", "unsupported_parameter"), false),
            (400, "max_tokens unsupported".to_owned(), false),
        ] {
            assert_eq!(is_unsupported_max_tokens(&answer(status, &body)), wants, "{status} {body}");
        }
    }
}
