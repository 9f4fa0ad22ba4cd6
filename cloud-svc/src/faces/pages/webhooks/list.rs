//! `GET /w/webhooks`: the webhooks of the grant, and a form for a new one.

use maud::{Markup, html};
use shared_model::{Error, Refusal};
use shared_runtime::pages::{Page, SignedIn, in_english, what_next};

use super::{event_fields, path::PATH, words};
use crate::{
    faces::pages::typed::typed,
    news::webhooks::{
        event_type::EventType,
        list::WebhookList,
        webhook::{WebhookRecord, WebhookState},
    },
};

pub async fn webhooks(visit: SignedIn) -> Result<Page, Error> {
    page(&visit, None).await
}

/// `refused` is the refusal of the form that was sent. What was typed stays in it.
pub async fn page(visit: &SignedIn, refused: Option<&Refusal>) -> Result<Page, Error> {
    let WebhookList { webhooks } = visit.operation("list_webhooks").answer().await?;
    let body = html! {
        @if let Some(refusal) = refused { (alert(refusal)) }
        p {
            (text!("A webhook tells an endpoint of yours what happens to the files. It belongs to your grant, and ends with it."))
        }
        @if webhooks.is_empty() { p { (text!("You have no webhooks.")) } }
        ul.webhooks { @for webhook in &webhooks { li { (row(webhook)) } } }
        @if visit.may("create_webhook") { (form(visit)) }
        @else { p.note { (text!("Your sign-in may not manage webhooks.")) } }
        p { a href="/w" { (text!("All files")) } }
    };
    let page = Page::new(text!("Webhooks"), body);
    Ok(match refused {
        Some(refusal) => page.refused_with(refusal.code),
        None => page,
    })
}

/// What was refused, and why.
pub fn alert(refusal: &Refusal) -> Markup {
    html! {
        div.alert role="alert" {
            p { strong { (text!("Nothing was done.")) } " " (in_english(&refusal.message)) }
            (what_next(refusal.next_action(false).as_ref()))
        }
    }
}

fn row(webhook: &WebhookRecord) -> Markup {
    html! {
        a href=(format!("{PATH}/{}", webhook.id)) { bdi { (webhook.url) } }
        " " span.state { (words::state(webhook.state)) }
        @if webhook.failures > 0 && webhook.state != WebhookState::Revoked {
            p.note { (text!("Failed {n}×:", n = webhook.failures)) " " bdi { (words::error(&webhook.last_error)) } }
        }
    }
}

fn form(visit: &SignedIn) -> Markup {
    let ticked = event_fields::ticked(visit);
    // A new form has everything ticked: most endpoints choose themselves.
    let is_ticked = |event: EventType| match ticked.is_empty() {
        true => event == EventType::All,
        false => ticked.contains(&event.as_str()),
    };
    let fields = html! {
        label for="url" { (text!("URL of the endpoint: https, on a public host")) }
        input.wide #url name="url" type="url" value=(typed(visit, "url")) required maxlength="2048" autocomplete="off";
        label for="description" { (text!("What it is for (optional)")) }
        input.wide #description name="description" value=(typed(visit, "description")) maxlength="500" autocomplete="off" dir="auto";
        (event_fields::show(is_ticked))
        button { (text!("Create the webhook")) }
    };
    html! {
        h2 { (text!("New webhook")) }
        (visit.form(PATH, fields))
    }
}
