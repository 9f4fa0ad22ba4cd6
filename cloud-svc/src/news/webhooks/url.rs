//! Checks the URL of an endpoint. It is https on port 443 of a named public host, or a host that the operator allows.
// A name may resolve to another address later, so `state::outbound` checks the addresses again at each attempt.

use shared_model::{Error, NextAction, Problem, Refusal, code};
use shared_runtime::{Outbound, state::outbound::Target};

use crate::base::codes;

/// Top-level names that never lead to a public host (RFC 6761, RFC 6762; `internal` is reserved by ICANN).
const INNER: [&str; 4] = ["localhost", "local", "internal", "invalid"];

/// 422 for text that is not a URL, or a URL that webhooks cannot be sent to.
pub fn check(text: &str, outbound: &Outbound) -> Result<(), Error> {
    if url::Url::parse(text).is_err() {
        let problem = Problem { at: "/url".to_owned(), rule: "must be an https URL".to_owned() };
        return Err(Refusal::problems(&code::INVALID_FIELD, vec![problem]).into());
    }
    let target = Target::parse(text).map_err(|error| refused(&error.to_string()))?;
    if outbound.is_opened(&target) {
        return Ok(());
    }
    // A name may end with a period without leading to another host.
    let host = target.host().trim_end_matches('.');
    let top = host.rsplit('.').next().unwrap_or_default();
    let why = if !target.is_https() {
        "it is not an https URL"
    } else if target.literal().is_some() {
        "it names an address instead of a host"
    } else if target.port() != 443 {
        "its port is not 443"
    } else if !host.contains('.') || INNER.contains(&top) {
        "its host is not on the public internet"
    } else {
        return Ok(());
    };
    Err(refused(why).into())
}

fn refused(why: &str) -> Refusal {
    let rule = format!(
        "must be an https URL on port 443 that gives a public host by name, without a user and a fragment; {why}"
    );
    let problems = vec![Problem { at: "/url".to_owned(), rule }];
    let refusal = codes::URL_NOT_ALLOWED.because(format!("Webhooks cannot be sent to this URL: {why}."));
    refusal.next(NextAction::CorrectRequest { problems })
}
