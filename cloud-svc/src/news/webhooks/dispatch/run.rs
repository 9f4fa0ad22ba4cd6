//! The dispatcher of a process: finds webhooks with work, and gives each a task.

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
    news::webhooks::{deliveries, store},
};

/// Endpoints that one process sends to at a time.
const ENDPOINTS: usize = 256;
/// How often all webhooks are looked through: other processes tell nothing, and attempts become due.
const POLL: Duration = Duration::from_secs(1);
/// Commits that come so soon after one another are looked at together.
const COALESCE: Duration = Duration::from_millis(5);
/// How often it is looked how much waits.
const OBSERVE: Duration = Duration::from_secs(15);

/// Sends deliveries until it is told to stop.
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
                    tracing::debug!(?error, "deliveries were not counted: the gauges stay");
                }
            }
        } else if !changed.is_empty() {
            dispatcher.start_due(Some(std::mem::take(&mut changed))).await;
        }
        let told = tokio::select! {
            biased;
            _ = stopped.wait_for(|stopped| *stopped) => break,
            Some(ended) = dispatcher.tasks.join_next_with_id() => {
                // What happened while it ended was left to it.
                changed.extend(dispatcher.ended(ended));
                continue;
            }
            told = news.recv() => told,
            () = sleep_until(poll_at) => continue,
        };
        match told {
            Ok(topic) => drop(changed.insert(WorkspaceId::from_number(topic))),
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
    /// Begins to send to webhooks with work: of these workspaces, or of all.
    async fn start_due(&mut self, of: Option<BTreeSet<WorkspaceId>>) {
        let free = ENDPOINTS - self.tasks.len();
        if free == 0 {
            return;
        }
        match self.find(of, free).await {
            Ok(found) => {
                for (webhook, workspace) in found {
                    let is_running = self.running.values().any(|(running, _)| *running == webhook);
                    if !is_running && self.tasks.len() < ENDPOINTS {
                        let sender = self.sender.clone();
                        let task = self.tasks.spawn(async move { sender.work(webhook, workspace).await });
                        self.running.insert(task.id(), (webhook, workspace));
                    }
                }
            }
            Err(error) if error.is_already_logged() => tracing::debug!(?error, "webhooks were not looked through"),
            Err(error) => tracing::warn!(?error, "webhooks were not looked through"),
        }
    }

    /// Webhooks with work, and maybe some that are being worked on.
    async fn find(
        &self,
        of: Option<BTreeSet<WorkspaceId>>,
        free: usize,
    ) -> Result<Vec<(WebhookId, WorkspaceId)>, Error> {
        let limit = i64::try_from(free + self.running.len()).unwrap_or(i64::MAX);
        let (of, now) = (of.map(|of| of.into_iter().collect::<Vec<_>>()), self.context.clock.now());
        let find = move |conn: &mut _| {
            let mut found = deliveries::store::due(conn, of.as_deref(), now, limit)?;
            found.extend(store::behind(conn, of.as_deref(), limit)?);
            Ok(found)
        };
        self.context.read(find).await
    }

    /// The workspace of a task that has ended well: what has failed waits for the next poll.
    fn ended(&mut self, ended: Result<(Id, bool), JoinError>) -> Option<WorkspaceId> {
        let (task, is_well) = match ended {
            Ok(ended) => ended,
            Err(error) => {
                tracing::error!(%error, "sending to a webhook broke; its claim will end");
                (error.id(), false)
            }
        };
        self.running.remove(&task).filter(|_| is_well).map(|(_, workspace)| workspace)
    }
}
