//! `POST /w/webhooks/{webhook_id}`: carries out the forms of the page.

use serde::Deserialize;
use serde_json::json;
use shared_model::{Error, Timestamp, code};
use shared_runtime::pages::{PageResponse, Redirect, SignedIn};

use super::{
    event_fields,
    forms::{ANSWER, CHALLENGE, DISABLE, ENABLE, PING, REPLAY, REVOKE, ROTATE, UPDATE},
    path::PATH,
    secret, show,
};
use crate::{
    base::ids::WebhookId,
    faces::pages::{refused, typed::typed},
};

#[derive(Deserialize)]
struct Rotated {
    signing_secret: String,
    previous_secret_expires_at: Timestamp,
}

pub async fn act(visit: SignedIn) -> Result<PageResponse, Error> {
    match carry_out(&visit).await {
        Ok(shown) => Ok(shown),
        Err(Error::Refused(refusal)) if refused::is_shown(&refusal) => {
            show::page(&visit, Some(&refusal)).await.map(PageResponse::from)
        }
        Err(error) => Err(error),
    }
}

async fn carry_out(visit: &SignedIn) -> Result<PageResponse, Error> {
    let (id,): (WebhookId,) = visit.path()?;
    let webhook = id.to_string();
    let (operation, body) = match visit.value("action").unwrap_or_default() {
        UPDATE => {
            let (events, description) = (event_fields::ticked(visit), typed(visit, "description"));
            ("update_webhook", json!({"events": events, "description": description}))
        }
        CHALLENGE => ("verify_webhook", json!({})),
        ANSWER => ("verify_webhook", json!({"challenge": typed(visit, "challenge").trim()})),
        PING => ("ping_webhook", json!({})),
        DISABLE => ("disable_webhook", json!({})),
        ENABLE => ("enable_webhook", json!({})),
        REPLAY => ("replay_webhook", json!({"event_ids": [visit.value("event").unwrap_or_default()]})),
        REVOKE => ("revoke_webhook", json!({})),
        ROTATE => {
            let call = visit.operation("rotate_webhook_secret").path(&[&webhook]).once().json(json!({}));
            let Rotated { signing_secret, previous_secret_expires_at } = call.answer().await?;
            let after = if previous_secret_expires_at > visit.context.clock.now() {
                text!("The previous secret signs too, for one day.")
            } else {
                text!("The previous secret no longer signs.")
            };
            return Ok(secret::page(text!("The webhook has a new secret"), id, &signing_secret, after).into());
        }
        _ => return Err(code::invalid_parameter("action", "must be what a form of this page asks for").into()),
    };
    // With the key of the form: a double click sends one test event.
    visit.operation(operation).path(&[&webhook]).once().json(body).text().await?;
    Ok(Redirect::to(format!("{PATH}/{webhook}")).into())
}
