//! The deliveries of a webhook, with a form that sends one again.

use maud::{Markup, html};
use shared_runtime::pages::{SignedIn, scrollable};

use super::{
    forms::{self, REPLAY},
    path::PATH,
    words,
};
use crate::{
    faces::pages::phrases::{address, time},
    news::webhooks::{
        deliveries::delivery::{DeliveryRecord, DeliveryStatus},
        event_type::EventType,
        list_deliveries::DeliveryList,
        webhook::{WebhookAnswer, WebhookState},
    },
};

pub fn show(visit: &SignedIn, shown: &WebhookAnswer, list: &DeliveryList) -> Markup {
    let href = format!("{PATH}/{}", shown.webhook.id);
    let asked = visit.value("status").unwrap_or_default();
    let tabs = std::iter::once(("", text!("All")))
        .chain(DeliveryStatus::ALL.iter().map(|(word, status)| (*word, words::status(*status))));
    // Only an active webhook is sent anything.
    let can_replay = shown.webhook.state == WebhookState::Active && visit.may("replay_webhook");
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { (text!("Event")) }
                    th scope="col" { (text!("Made")) }
                    th scope="col" { (text!("State")) }
                    th scope="col" { (text!("Attempts")) }
                    @if can_replay { th scope="col" { span.hidden { (text!("Send again")) } } }
                }
            }
            tbody {
                @for delivery in &list.items {
                    tr {
                        th scope="row" { (event(delivery)) }
                        td { (time(delivery.created_at)) }
                        td { (status(delivery)) }
                        td { (delivery.attempts) }
                        @if can_replay { td { @if delivery.sequence.is_some() && delivery.status != DeliveryStatus::Pending { (again(visit, shown, delivery)) } } }
                    }
                }
            }
        }
    };
    html! {
        section aria-labelledby="deliveries" {
            h2 #deliveries { (text!("Deliveries")) }
            nav aria-label=(text!("States of deliveries")) {
                ul.tabs {
                    @for (word, name) in tabs {
                        li { a href=(address(&href, &[("status", word)])) aria-current=[(word == asked).then_some("page")] { (name) } }
                    }
                }
            }
            @if list.items.is_empty() {
                p { (text!("None.")) }
            } @else {
                (scrollable(text!("Table of the deliveries"), table))
            }
            @if let Some(cursor) = &list.next_cursor {
                nav.pages aria-label=(text!("Pages of the list")) {
                    a rel="next" href=(address(&href, &[("status", asked), ("cursor", cursor)])) {
                        (text!("Next page"))
                    }
                }
            }
        }
    }
}

fn event(delivery: &DeliveryRecord) -> Markup {
    html! {
        // Challenges and test events are not changes.
        @match EventType::from_word(&delivery.kind) {
            Some(event) => (words::event(event)),
            None => code { (delivery.kind) },
        }
        @if let Some(sequence) = delivery.sequence { span.note { " " (text!("Change {n}", n = sequence)) } }
    }
}

fn status(delivery: &DeliveryRecord) -> Markup {
    html! {
        (words::status(delivery.status))
        @if !delivery.last_error.is_empty() { ": " bdi { (words::error(&delivery.last_error)) } }
        @if let Some(at) = delivery.next_attempt_at {
            span.note { " " (text!("Next attempt: {time}", time = time(at))) }
        }
    }
}

fn again(visit: &SignedIn, shown: &WebhookAnswer, delivery: &DeliveryRecord) -> Markup {
    let fields = html! {
        input type="hidden" name="event" value=(delivery.event_id);
        button.quiet { (text!("Send again")) }
    };
    forms::form(visit, shown, REPLAY, fields)
}
