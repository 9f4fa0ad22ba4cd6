//! Ada's webhook, which tells the receiver of the stack of everything that happens in her workspace.

use std::time::Duration;

use serde_json::{Value, json};

use super::writer::Writer;
use crate::{error::StackError, receiver::Receiver};

/// How long an endpoint may take to be found active: it is challenged as soon as it is named.
const LOOKS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(20);

/// Its id: that of the one which there is at the receiver's URL, else of a new one. The known one is revoked when the receiver
/// is elsewhere by now.
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
        // A start may have been interrupted before the secret was kept.
        if known != Some(id) || !receiver.has_secret() {
            keep(receiver, &send(ada, &format!("/v1/webhooks/{id}/rotate-secret"), &json!({})).await?)?;
        }
        return Ok(id.to_owned());
    }
    let body = json!({"url": receiver.url, "events": ["*"], "description": "The local stack's receiver, which prints"});
    let created = send(ada, "/v1/webhooks", &body).await?;
    keep(receiver, &created)?;
    let Some(id) = created["webhook"]["id"].as_str() else {
        return Err(StackError::new(format!("a webhook was made, but its id is not told: {created}")));
    };
    // What happens before it is active is not told.
    for _ in 0..LOOKS {
        if ada.read(&format!("/v1/webhooks/{id}")).await?["webhook"]["state"] == "active" {
            return Ok(id.to_owned());
        }
        tokio::time::sleep(PAUSE).await;
    }
    tracing::warn!("the sample webhook is not active yet");
    Ok(id.to_owned())
}

/// A command of its own each time: what there is already is found by its URL.
async fn send(ada: Writer<'_>, path: &str, body: &Value) -> Result<Value, StackError> {
    ada.command(path, &format!("webhook-{:032x}", rand::random::<u128>()), body).await
}

fn keep(receiver: &Receiver, answer: &Value) -> Result<(), StackError> {
    match answer["signing_secret"].as_str() {
        Some(secret) => receiver.keep(secret),
        None => Err(StackError::new("the secret of the sample webhook is not shown")),
    }
}
