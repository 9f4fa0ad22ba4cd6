//! `POST /v1/webhooks/{webhook_id}/replay`: send events again, or for the first time if they were missed.

use shared_model::{
    Error, JsonReader, Problem, Refusal, code,
    rule::{Array, Integer, VERSION_MAX},
};
use shared_runtime::{Answer, Body, Path, state::db::announce};

use super::{
    deliveries, load_in_state, store,
    webhook::{WebhookAnswer, WebhookState},
};
use crate::{
    base::{
        ids::{EventId, WebhookId},
        permissions::ManageWebhooks,
    },
    workspace::command::Command,
};

shared_model::json_object! {
    /// The events to send, in one of two ways.
    #[derive(Debug)]
    pub struct ReplayEvents {
        /// Sends all wanted events of the last 30 days from this sequence number on.
        pub from_sequence: Option<i64> as Integer<1, VERSION_MAX>,
        /// Sends these events, whether they were delivered or not.
        pub event_ids: Option<Vec<EventId>> as Array<EventId, 1, 100>,
    }
    example = {"from_sequence": 42};
    check = one_of_both;
}

fn one_of_both(reader: &JsonReader<'_>, body: Option<&ReplayEvents>) {
    if body.is_some_and(|body| body.from_sequence.is_some() == body.event_ids.is_some()) {
        reader.note("", "must have either \"from_sequence\" or \"event_ids\"");
    }
}

// Event ids stay the same, so that a receiver can recognize events that it has already.
pub async fn replay(
    command: Command<ManageWebhooks>,
    Path((id,)): Path<(WebhookId,)>,
    Body(ReplayEvents { from_sequence, event_ids }): Body<ReplayEvents>,
) -> Result<Answer<WebhookAnswer>, Error> {
    let context = command.context.clone();
    command
        .run(move |conn, by| {
            let mut webhook = load_in_state::in_state(conn, by, &context, id, &[WebhookState::Active])?;
            // Changes after the place are sent in any case.
            if let Some(sequence) = from_sequence
                && sequence <= webhook.place
            {
                webhook = store::set_place(conn, webhook, sequence - 1)?;
            }
            if let Some(events) = &event_ids {
                let unknown = deliveries::store::again(conn, id, events, by.at)?;
                check_known(events, &unknown)?;
                announce(by.workspace().number());
            }
            Ok(WebhookAnswer::ok(webhook)?)
        })
        .await
}

/// 422 for each event that the webhook has no delivery for.
fn check_known(events: &[EventId], unknown: &[EventId]) -> Result<(), Refusal> {
    let is_unknown = |(_, event): &(usize, &EventId)| unknown.contains(event);
    let problem = |(index, _)| Problem {
        at: format!("/event_ids/{index}"),
        rule: "must be the id of an event of a change that this webhook was sent".to_owned(),
    };
    let problems: Vec<_> = events.iter().enumerate().filter(is_unknown).map(problem).collect();
    if problems.is_empty() { Ok(()) } else { Err(Refusal::problems(&code::INVALID_FIELD, problems)) }
}
