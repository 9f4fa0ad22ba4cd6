//! `POST /v1/webhooks/{webhook_id}/update`: choose other events, or another description.

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
    /// What is sent: events, a description, or both. Another URL is another webhook.
    #[derive(Debug)]
    pub struct UpdateWebhook {
        /// What it wants to be told of from now on; absent: the same.
        pub events: Option<Vec<EventType>> as Events,
        /// What it is for; absent: the same.
        pub description: Option<String> as Text<500>,
    }
    example = {"events": ["*"]};
    check = something_is_told;
}

fn something_is_told(reader: &JsonReader<'_>, body: Option<&UpdateWebhook>) {
    if body.is_some_and(|body| body.events.is_none() && body.description.is_none()) {
        reader.note("", "must have \"events\" or \"description\"");
    }
}

/// Writes what its owner chooses. Deliveries that were made already stay.
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
