//! The dispatcher of a process: finds webhooks with work and starts their tasks.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use shared_model::Error;
use shared_runtime::Context;
use tokio::{
    sync::{
        broadcast::error::{RecvError, TryRecvError},
        watch,
    },
    task::{Id, JoinError, JoinSet},
    time::{Instant, sleep, sleep_until},
};

use super::{measures::DeliveryMeasures, sender::Sender};
use crate::{
    base::ids::{WebhookId, WorkspaceId},
    news::webhooks::store,
};

const ENDPOINTS: usize = 256;
// Commits of other processes are not announced, and attempts become due without a commit.
const POLL: Duration = Duration::from_secs(1);
// Commits in quick succession share one query.
const COALESCE: Duration = Duration::from_millis(5);
const OBSERVE: Duration = Duration::from_secs(15);

/// Sends deliveries until the service stops.
pub async fn run(context: Context, mut stopped: watch::Receiver<bool>) {
    let measures = DeliveryMeasures::from_context(&context);
    let sender = Sender::new(context.clone(), measures.clone(), stopped.clone());
    let mut dispatcher = Dispatcher { context, sender, tasks: JoinSet::new(), running: HashMap::new() };
    let mut news = dispatcher.context.db.announcements();
    let (mut poll_at, mut observe_at) = (Instant::now(), Instant::now());
    let mut changed = BTreeSet::new();
    loop {
        if Instant::now() >= poll_at {
            dispatcher.start_due(None).await;
            (poll_at, changed) = (Instant::now() + POLL, BTreeSet::new());
            if Instant::now() >= observe_at {
                observe_at = Instant::now() + OBSERVE;
                if let Err(error) = measures.observe(&dispatcher.context).await {
                    tracing::debug!(?error, "pending deliveries were not counted; the gauges keep their values");
                }
            }
        } else if !changed.is_empty() {
            dispatcher.start_due(Some(std::mem::take(&mut changed))).await;
        }
        let received = tokio::select! {
            biased;
            _ = stopped.wait_for(|stopped| *stopped) => break,
            Some(ended) = dispatcher.tasks.join_next_with_id() => {
                // Its webhook was skipped while it ran, so changes that came as it ended are looked for now.
                changed.extend(dispatcher.ended(ended));
                continue;
            }
            received = news.recv() => received,
            () = sleep_until(poll_at) => continue,
        };
        match received {
            Ok(topic) => drop(changed.insert(WorkspaceId::from_number(topic))),
            // Announcements were missed, so all webhooks are polled.
            Err(RecvError::Lagged(_)) => poll_at = Instant::now(),
            Err(RecvError::Closed) => break,
        }
        sleep(COALESCE).await;
        loop {
            match news.try_recv() {
                Ok(topic) => drop(changed.insert(WorkspaceId::from_number(topic))),
                Err(TryRecvError::Lagged(_)) => poll_at = Instant::now(),
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
        }
    }
    // Tasks see the stop themselves. Waiting for them lets them record what they have sent.
    while let Some(ended) = dispatcher.tasks.join_next_with_id().await {
        dispatcher.ended(ended);
    }
}

struct Dispatcher {
    context: Context,
    sender: Sender,
    tasks: JoinSet<bool>,
    running: HashMap<Id, (WebhookId, WorkspaceId)>,
}

impl Dispatcher {
    /// Starts tasks for webhooks with work, in these workspaces or in all.
    async fn start_due(&mut self, of: Option<BTreeSet<WorkspaceId>>) {
        let free = ENDPOINTS - self.tasks.len();
        if free == 0 {
            return;
        }
        match self.find(of, free).await {
            Ok(found) => {
                for (webhook, workspace) in found {
                    // A running task looks for new work itself; a second one would only compete with it.
                    let is_running = self.running.values().any(|(running, _)| *running == webhook);
                    if !is_running && self.tasks.len() < ENDPOINTS {
                        let sender = self.sender.clone();
                        let task = self.tasks.spawn(async move { sender.work(webhook, workspace).await });
                        self.running.insert(task.id(), (webhook, workspace));
                    }
                }
            }
            Err(error) if error.is_already_logged() => tracing::debug!(?error, "could not look for webhooks with work"),
            Err(error) => tracing::warn!(?error, "could not look for webhooks with work"),
        }
    }

    /// Webhooks with work; the tasks of some may be running.
    async fn find(
        &self,
        of: Option<BTreeSet<WorkspaceId>>,
        free: usize,
    ) -> Result<Vec<(WebhookId, WorkspaceId)>, Error> {
        // Webhooks whose tasks run may fill the first rows of the result.
        let limit = i64::try_from(free + self.running.len()).unwrap_or(i64::MAX);
        let (of, now) = (of.map(|of| of.into_iter().collect::<Vec<_>>()), self.context.clock.now());
        let find = move |conn: &mut _| {
            let mut found = store::due(conn, of.as_deref(), now, limit)?;
            found.extend(store::behind(conn, of.as_deref(), limit)?);
            Ok(found)
        };
        self.context.read(find).await
    }

    // `None` after a failure: the next poll tries again. An immediate retry would repeat a lasting failure without a
    // pause.
    fn ended(&mut self, ended: Result<(Id, bool), JoinError>) -> Option<WorkspaceId> {
        let (task, is_well) = match ended {
            Ok(ended) => ended,
            Err(error) => {
                tracing::error!(%error, "the task of a webhook panicked; its claim will expire");
                (error.id(), false)
            }
        };
        self.running.remove(&task).filter(|_| is_well).map(|(_, workspace)| workspace)
    }
}
