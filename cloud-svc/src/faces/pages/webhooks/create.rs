//! `POST /w/webhooks`: makes a webhook and shows its secret.

use serde::Deserialize;
use serde_json::json;
use shared_model::Error;
use shared_runtime::pages::{PageResponse, SignedIn};

use super::{event_fields, list, secret};
use crate::{
    faces::pages::{refused, typed::typed},
    news::webhooks::webhook::WebhookRecord,
};

#[derive(Deserialize)]
struct Created {
    webhook: WebhookRecord,
    signing_secret: String,
}

pub async fn create(visit: SignedIn) -> Result<PageResponse, Error> {
    let mut body = json!({"url": typed(&visit, "url").trim(), "events": event_fields::ticked(&visit)});
    let description = typed(&visit, "description");
    if !description.is_empty() {
        body["description"] = json!(description);
    }
    // The page is the answer itself, not a redirect: the secret must not be in a URL. Loaded again, it is the same.
    match visit.operation("create_webhook").once().json(body).answer::<Created>().await {
        Ok(Created { webhook, signing_secret }) => {
            let after =
                text!("The service now sends a challenge. The webhook becomes active when its endpoint answers.");
            Ok(secret::page(text!("The webhook was created"), webhook.id, &signing_secret, after).into())
        }
        Err(Error::Refused(refusal)) if refused::is_shown(&refusal) => {
            list::page(&visit, Some(&refusal)).await.map(PageResponse::from)
        }
        Err(error) => Err(error),
    }
}
