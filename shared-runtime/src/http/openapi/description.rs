//! What the document says in words: of the service as a whole, and of each operation beside what its verb says.

use shared_model::Envelope;

use crate::{
    base::surface::Surface,
    http::contract::{Access, Contract},
};

/// What holds for every operation of a service.
pub(super) fn of_service(surface: &Surface) -> String {
    let envelope = match surface.envelope {
        Envelope::DataMeta => "An answer is `{\"data\": …, \"meta\": {\"request_id\": …}}`.",
        Envelope::TopLevel => "An answer is one object, with the `request_id` among its members.",
    };
    format!(
        "{about}\n\n\
        **Answers.** {envelope} Clients must ignore members that they do not know.\n\n\
        **Errors.** Every error is \
        `{{\"error\": {{\"code\", \"message\", \"request_id\", \"retryable\", \"next_action\"}}}}`. \
        Branch on `code`, show `message` to people, and obey `next_action`, which says what to do next. Unknown \
        members of a body are refused, and so are unknown query parameters of an operation that takes any.\n\n\
        **Limits.** Requests are counted in fixed UTC minutes. On 429 wait `Retry-After` seconds.",
        about = surface.about
    )
}

/// What an operation does, and what its contract adds to that.
pub(super) fn of_operation(contract: &Contract) -> String {
    let counted = match contract.access {
        Access::Requires(_) => "grant",
        Access::Public | Access::Undecided => "source address",
    };
    let mut paragraphs = vec![contract.description.to_owned()];
    if contract.takes_key {
        paragraphs.push(
            "Happens once for each `Idempotency-Key`: sent again within 24 hours, it answers as it did the first time, \
             with `replayed: true`. After a lost answer send the same request with the same key."
                .to_owned(),
        );
    }
    if let Some(required) = contract.required() {
        paragraphs.push(format!("Needs a token with the scope `{}`.", required.scope));
    }
    paragraphs.push(format!(
        "Counts against `{}`: {} a minute for each {counted}, unless the operator has set another number.",
        contract.limit.name, contract.limit.per_minute
    ));
    paragraphs.extend(contract.also_charged.iter().map(|limit| {
        let (name, per_minute) = (limit.name, limit.per_minute);
        format!("Counts against `{name}` too: {per_minute} a minute for each {name} and source address.")
    }));
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs.join("\n\n")
}
