//! The forms of a webhook.

use maud::{Markup, html};
use shared_runtime::pages::SignedIn;

use super::{event_fields, path::PATH};
use crate::{
    faces::pages::typed::typed,
    news::webhooks::{
        event_type::EventType,
        webhook::{WebhookAnswer, WebhookState},
    },
};

// The values of the field `action`.
pub const UPDATE: &str = "update";
pub const CHALLENGE: &str = "challenge";
pub const ANSWER: &str = "answer";
pub const PING: &str = "ping";
pub const DISABLE: &str = "disable";
pub const ENABLE: &str = "enable";
pub const ROTATE: &str = "rotate";
pub const REVOKE: &str = "revoke";
pub const REPLAY: &str = "replay";

/// A form of this webhook that does one thing.
pub fn form(visit: &SignedIn, shown: &WebhookAnswer, action: &str, inside: Markup) -> Markup {
    let fields = html! { input type="hidden" name="action" value=(action); (inside) };
    visit.form(&format!("{PATH}/{}", shown.webhook.id), fields)
}

/// Those that can succeed in its state.
pub fn show(visit: &SignedIn, shown: &WebhookAnswer) -> Markup {
    let state = shown.webhook.state;
    if state == WebhookState::Revoked || !visit.may("update_webhook") {
        return Markup::default();
    }
    let form = |action: &str, inside: Markup| form(visit, shown, action, inside);
    // A form that was refused keeps what was typed.
    let is_refused = visit.value("action") == Some(UPDATE);
    let ticked = event_fields::ticked(visit);
    let is_ticked = |event: EventType| {
        if is_refused { ticked.contains(&event.as_str()) } else { shown.settings.events.contains(&event) }
    };
    let description = if is_refused { typed(visit, "description") } else { shown.settings.description.clone() };
    html! {
        @if state == WebhookState::Pending {
            p {
                (text!("The endpoint must answer a challenge first. If it cannot, read the challenge there and paste it here."))
            }
            (form(ANSWER, html! {
                label for="challenge" { (text!("Challenge")) }
                div.row {
                    input #challenge name="challenge" value=(typed(visit, "challenge")) required maxlength="64" autocomplete="off"; button {
                        (text!("Confirm"))
                    }
                }
            }))
            (form(CHALLENGE, html! { button.quiet { (text!("Send the challenge again")) } }))
        }
        div.tools {
            @if state == WebhookState::Active {
                (form(PING, html! { button.quiet { (text!("Send a test event")) } }))
                (form(DISABLE, html! { button.quiet { (text!("Disable")) } }))
            }
            @if state == WebhookState::Disabled { (form(ENABLE, html! { button { (text!("Enable")) } })) }
        }
        details.organize open[is_refused] {
            summary { (text!("Change what it receives")) }
            (form(UPDATE, html! {
                label for="description" { (text!("What it is for")) }
                input.wide #description name="description" value=(description) maxlength="500" dir="auto";
                (event_fields::show(is_ticked))
                button { (text!("Save")) }
            }))
        }
        details.organize {
            summary { (text!("New secret, or the end")) }
            p {
                (text!("After a new secret, deliveries have two signatures for a day: also that of the previous secret."))
            }
            (form(ROTATE, html! { button.quiet { (text!("Make a new secret")) } }))
            p { (text!("A revoked webhook never receives anything again.")) }
            (form(REVOKE, html! { button.danger { (text!("Revoke the webhook")) } }))
        }
    }
}
