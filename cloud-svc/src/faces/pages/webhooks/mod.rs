//! Pages about webhooks.

mod act;
mod create;
mod deliveries;
mod event_fields;
mod forms;
mod list;
mod path;
mod secret;
mod show;
mod words;

use shared_runtime::pages::Pages;

pub use path::PATH;

pub fn declare(pages: &mut Pages) {
    let (event, events) = (event_fields::FIELD, event_fields::EVENTS);
    pages.get(PATH, "webhooks_page", list::webhooks);
    pages
        .post(PATH, "create_webhook_page", create::create)
        .takes(&["url", "description"])
        .takes_numbered(event, events);
    pages.get("/w/webhooks/{webhook_id}", "webhook_page", show::webhook).takes(&["status", "cursor"]);
    pages
        .post("/w/webhooks/{webhook_id}", "change_webhook_page", act::act)
        .takes(&["action", "description", "challenge", "event"])
        .takes_numbered(event, events);
}
