//! Making deliveries of what has happened since a webhook's place, in the transaction that moves the place: killed anywhere,
//! nothing is lost and nothing is doubled.

use shared_model::{Failure, Secret};
use shared_runtime::{Conn, Context};

use crate::{
    base::{
        ids::{EventId, WebhookId},
        links::FileLinks,
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

/// Changes that one transaction goes through at most.
const CHANGES: usize = 100;

/// Makes deliveries, and knows the tags of files and the ids of events.
#[derive(Clone, Debug)]
pub struct Enqueuer {
    records: FileLinks,
    event_ids: Secret,
}

impl Enqueuer {
    /// That of the service on this context.
    pub fn from_context(context: &Context) -> Self {
        Self { records: FileLinks::new(context), event_ids: context.secret.derive("webhook-event") }
    }

    /// The id of a change for a webhook: the same whenever it is told.
    fn event(&self, webhook: WebhookId, sequence: i64) -> EventId {
        let tag = self.event_ids.tag(&[webhook.as_str().as_bytes(), &sequence.to_be_bytes()]);
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&tag[..16]);
        EventId::from_bytes(bytes)
    }

    /// Makes deliveries of the next changes that the webhook wants, and moves its place.
    pub fn advance(&self, conn: &mut Conn, webhook: Webhook, now: shared_model::Timestamp) -> Result<Webhook, Failure> {
        let owner = webhook.workspace_id;
        let found = match feed::store::look(conn, owner, Start::After(webhook.place), None, CHANGES)? {
            Some(found) => Some(found),
            // What it has missed is no longer known; the rest is told, and the numbers tell the gap.
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
            let etag = file.map(|file| self.records.etag(file));
            let body = message::event(kind.as_str(), owner, change, etag)?;
            let event = self.event(webhook.id, change.sequence);
            new.push(NewDelivery { event, kind: kind.as_str(), sequence: Some(change.sequence), body });
        }
        if !new.is_empty() {
            deliveries::store::insert(conn, webhook.id, &new, now)?;
        }
        store::move_place(conn, webhook, found.last)
    }
}
