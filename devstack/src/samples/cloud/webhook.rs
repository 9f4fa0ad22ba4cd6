//! Ada's webhook, which sends all events of her workspace to the stack's receiver.

use std::time::Duration;

use serde_json::{Value, json};

use super::writer::Writer;
use crate::{error::StackError, receiver::Receiver};

// The service challenges a new endpoint immediately, so two seconds in total are plenty.
const CHECKS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(20);

/// Finds the webhook with the receiver's URL, or makes one. Revokes the known one if its URL is another.
pub async fn make(ada: Writer<'_>, receiver: &Receiver, known: Option<&str>) -> Result<String, StackError> {
    let listed = ada.read("/v1/webhooks").await?;
    let mut found = None;
    for webhook in listed["webhooks"].as_array().into_iter().flatten() {
        let Some(id) = webhook["id"].as_str() else { continue };
        let is_known = known == Some(id);
        if webhook["url"] == receiver.url {
            if is_known || found.is_none() {
                found = Some(id);
            }
        } else if is_known {
            send(ada, &format!("/v1/webhooks/{id}/revoke"), &json!({})).await?;
        }
    }
    if let Some(id) = found {
        // A start may have been interrupted after the webhook was made and before its secret was stored.
        if known != Some(id) || !receiver.has_secret() {
            keep(receiver, &send(ada, &format!("/v1/webhooks/{id}/rotate-secret"), &json!({})).await?)?;
        }
        return Ok(id.to_owned());
    }
    let body = json!({"url": receiver.url, "events": ["*"], "description": "The local stack's receiver, which prints"});
    let created = send(ada, "/v1/webhooks", &body).await?;
    keep(receiver, &created)?;
    let Some(id) = created["webhook"]["id"].as_str() else {
        return Err(StackError::new(format!("a webhook was made, but the answer has no id: {created}")));
    };
    // Events before it is active are not delivered, so wait: the first edit should show up.
    for _ in 0..CHECKS {
        if ada.read(&format!("/v1/webhooks/{id}")).await?["webhook"]["state"] == "active" {
            return Ok(id.to_owned());
        }
        tokio::time::sleep(PAUSE).await;
    }
    tracing::warn!("the sample webhook is not active yet");
    Ok(id.to_owned())
}

// A new idempotency key each time, because an existing webhook is found by its URL.
async fn send(ada: Writer<'_>, path: &str, body: &Value) -> Result<Value, StackError> {
    ada.command(path, &format!("webhook-{:032x}", rand::random::<u128>()), body).await
}

fn keep(receiver: &Receiver, answer: &Value) -> Result<(), StackError> {
    match answer["signing_secret"].as_str() {
        Some(secret) => receiver.keep(secret),
        None => Err(StackError::new("the secret of the sample webhook is not shown")),
    }
}
