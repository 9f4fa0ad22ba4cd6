//! `GET /w/webhooks/{webhook_id}`: a webhook, what can be done with it, and its deliveries.

use maud::html;
use shared_model::{Error, Refusal};
use shared_runtime::pages::{Page, SignedIn};

use super::{deliveries, forms, list, path::PATH, words};
use crate::{
    base::ids::WebhookId,
    faces::pages::phrases::time,
    news::webhooks::{list_deliveries::DeliveryList, webhook::WebhookAnswer},
};

const ROWS: &str = "50";

pub async fn webhook(visit: SignedIn) -> Result<Page, Error> {
    page(&visit, None).await
}

/// `refused` is the refusal of the form that was sent.
pub async fn page(visit: &SignedIn, refused: Option<&Refusal>) -> Result<Page, Error> {
    let (id,): (WebhookId,) = visit.path()?;
    let id = id.to_string();
    let shown: WebhookAnswer = visit.operation("get_webhook").path(&[&id]).answer().await?;
    let call = visit.operation("list_webhook_deliveries").path(&[&id]).query("limit", ROWS);
    let value = |name: &str| visit.value(name).unwrap_or_default();
    let deliveries: DeliveryList =
        call.query("status", value("status")).query("cursor", value("cursor")).answer().await?;
    let body = html! {
        @if let Some(refusal) = refused { (list::alert(refusal)) }
        p { span.state { (words::state(shown.webhook.state)) } }
        @if !shown.settings.description.is_empty() { p dir="auto" { (shown.settings.description) } }
        dl.facts {
            div { dt { (text!("Made")) } dd { (time(shown.settings.created_at)) } }
            @if shown.webhook.failures > 0 {
                div {
                    dt { (text!("Failed since the last success")) }
                    dd { (shown.webhook.failures) "×: " bdi { (words::error(&shown.webhook.last_error)) } }
                }
            }
            div {
                dt { (text!("Receives")) }
                dd { @for (index, event) in shown.settings.events.iter().enumerate() { @if index > 0 { " · " } (words::event(*event)) } }
            }
        }
        (forms::show(visit, &shown))
        (deliveries::show(visit, &shown, &deliveries))
        p { a href=(PATH) { (text!("All webhooks")) } }
    };
    // The URL is not in the title: titles end up in histories, and some URLs have secrets in them.
    let page = Page::new(text!("Webhook"), body)
        .heading(text!("Webhook to {url}", url = html! { bdi { (shown.webhook.url) } }));
    Ok(match refused {
        Some(refusal) => page.refused_with(refusal.code),
        None => page,
    })
}
