//! Makes deliveries of the changes after a webhook's place. One transaction inserts them and moves the place, so that a
//! crash neither loses nor repeats a delivery.

use shared_model::{Failure, Secret};
use shared_runtime::{Conn, Context};

use crate::{
    base::{
        ids::{EventId, WebhookId},
        links::FileLinks,
        owner::Owner,
    },
    news::{
        feed::{self, store::Start},
        webhooks::{
            deliveries::{self, delivery::NewDelivery},
            event_type, message, store,
            webhook::Webhook,
        },
    },
};

const CHANGES: usize = 100;

#[derive(Clone, Debug)]
pub struct Enqueuer {
    links: FileLinks,
    event_ids: Secret,
}

impl Enqueuer {
    pub fn from_context(context: &Context) -> Self {
        Self { links: FileLinks::new(context), event_ids: context.secret.derive("webhook-event") }
    }

    // Derived and not random: a replay of the change gets the same id, by which a receiver recognizes it.
    fn event(&self, webhook: WebhookId, sequence: i64) -> EventId {
        let tag = self.event_ids.tag(&[webhook.as_str().as_bytes(), &sequence.to_be_bytes()]);
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&tag[..16]);
        EventId::from_bytes(bytes)
    }

    /// Makes deliveries of the next changes that the webhook wants, and moves its place.
    pub fn advance(&self, conn: &mut Conn, webhook: Webhook, now: shared_model::Timestamp) -> Result<Webhook, Failure> {
        let workspace = webhook.workspace_id;
        // A webhook of an agent tells no more than its grant may see.
        let owner = Owner::of_grant(workspace, &webhook.grant_id);
        let found = match feed::store::look(conn, owner, Start::After(webhook.place), None, CHANGES)? {
            Some(found) => Some(found),
            // The changes that it missed are deleted. The rest is delivered, and the sequence numbers show the gap.
            None => feed::store::look(conn, owner, Start::Oldest, None, CHANGES)?,
        };
        let Some(found) = found else { return Ok(webhook) };
        if found.last == webhook.place {
            return Ok(webhook);
        }
        let wanted: Vec<_> = found
            .changes
            .into_iter()
            .filter_map(|change| {
                let kind = event_type::event_for(&webhook.events, change.kind, change.plan_id.is_some())?;
                Some((kind, change))
            })
            .collect();
        let changes: Vec<_> = wanted.iter().map(|(_, change)| change.clone()).collect();
        let files = feed::store::files(conn, owner, &changes)?;
        let mut new = Vec::new();
        for (kind, change) in &wanted {
            let file = change.file_id.and_then(|id| files.get(&id));
            let etag = file.map(|file| self.links.etag(file));
            let body = message::event(kind.as_str(), workspace, change, etag)?;
            let event = self.event(webhook.id, change.sequence);
            new.push(NewDelivery { event, kind: kind.as_str(), sequence: Some(change.sequence), body });
        }
        if !new.is_empty() {
            deliveries::store::insert(conn, webhook.id, &new, now)?;
        }
        store::move_place(conn, webhook, found.last)
    }
}
