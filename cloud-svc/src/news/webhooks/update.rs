//! `POST /v1/webhooks/{webhook_id}/update`: change the events or the description.

use shared_model::{Error, JsonReader, rule::Text};
use shared_runtime::{Answer, Body, Path};

use super::{
    create::{Events, distinct},
    event_type::EventType,
    load_in_state, store,
    webhook::{
        WebhookAnswer,
        WebhookState::{Active, Disabled, Pending},
    },
};
use crate::{
    base::{ids::WebhookId, permissions::ManageWebhooks},
    workspace::command::Command,
};

shared_model::json_object! {
    /// The changed settings: events, a description, or both. The URL cannot change.
    #[derive(Debug)]
    pub struct UpdateWebhook {
        /// The events that the endpoint receives from now on; absent: no change.
        pub events: Option<Vec<EventType>> as Events,
        /// A note of the owner; absent: no change.
        pub description: Option<String> as Text<500>,
    }
    example = {"events": ["*"]};
    check = has_a_setting;
}

fn has_a_setting(reader: &JsonReader<'_>, body: Option<&UpdateWebhook>) {
    if body.is_some_and(|body| body.events.is_none() && body.description.is_none()) {
        reader.note("", "must have \"events\" or \"description\"");
    }
}

// Deliveries that exist already are sent even if their events are no longer wanted.
pub async fn update(
    command: Command<ManageWebhooks>,
    Path((id,)): Path<(WebhookId,)>,
    Body(UpdateWebhook { events, description }): Body<UpdateWebhook>,
) -> Result<Answer<WebhookAnswer>, Error> {
    let (context, events) = (command.context.clone(), events.map(distinct));
    command
        .run(move |conn, by| {
            let webhook = load_in_state::in_state(conn, by, &context, id, &[Pending, Active, Disabled])?;
            Ok(WebhookAnswer::ok(store::set_settings(conn, webhook, events.clone(), description.clone())?)?)
        })
        .await
}
