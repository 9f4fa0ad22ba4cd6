//! Descriptions of a service and of its operations.

use shared_model::Envelope;

use crate::{
    base::surface::Surface,
    http::contract::{Access, Contract},
};

pub(super) fn service(surface: &Surface) -> String {
    let envelope = match surface.envelope {
        Envelope::DataMeta => "Every answer is `{\"data\": …, \"meta\": {\"request_id\": …}}`.",
        Envelope::TopLevel => "Every answer is one object with a member `request_id`.",
    };
    format!(
        "{about}\n\n\
        **Answers.** {envelope} Clients must ignore unknown members.\n\n\
        **Errors.** Every error is \
        `{{\"error\": {{\"code\", \"message\", \"request_id\", \"retryable\", \"next_action\"}}}}`. \
        Branch on `code`, show `message` to people, and follow `next_action`. Unknown \
        members of a body and unknown query parameters are refused.\n\n\
        **Limits.** Requests are counted per UTC minute. After a 429, wait `Retry-After` seconds.",
        about = surface.about
    )
}

/// The verb's description, and what follows from its contract.
pub(super) fn operation(contract: &Contract) -> String {
    let counted = match contract.access {
        Access::Requires(_) => "grant",
        Access::Public | Access::Undecided => "source address",
    };
    let mut paragraphs = vec![contract.description.to_owned()];
    if contract.takes_key {
        paragraphs.push(
            "Runs once for each `Idempotency-Key`. Sent again within 24 hours, it returns the first answer \
             with `replayed: true`. If you lose an answer, send the same request with the same key."
                .to_owned(),
        );
    }
    if let Some(required) = contract.required() {
        paragraphs.push(format!("Needs a token with the scope `{}`.", required.scope));
    }
    paragraphs.push(format!(
        "Counts against the rate limit `{}`: {} requests a minute for each {counted}, unless the operator sets another number.",
        contract.limit.name, contract.limit.per_minute
    ));
    paragraphs.extend(contract.also_charged.iter().map(|limit| {
        let (name, per_minute) = (limit.name, limit.per_minute);
        format!("Also counts against `{name}`: {per_minute} requests a minute for each {name} and source address.")
    }));
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs.join("\n\n")
}
