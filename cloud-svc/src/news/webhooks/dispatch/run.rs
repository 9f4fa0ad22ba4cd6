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
    news::webhooks::store::{self, Wanted},
};

const ENDPOINTS: usize = 256;
// The slow endpoints of one workspace must leave places to others.
const OF_A_WORKSPACE: usize = 64;
// Commits of other processes are not announced, and attempts become due without a commit.
const POLL: Duration = Duration::from_secs(1);
// Commits in quick succession share one query.
const COALESCE: Duration = Duration::from_millis(5);
const OBSERVE: Duration = Duration::from_secs(15);

/// Sends deliveries until the service stops.
pub async fn run(context: Context, mut stopped: watch::Receiver<bool>) {
    let measures = DeliveryMeasures::from_context(&context);
    let sender = Sender::new(context.clone(), measures.clone(), stopped.clone());
    let mut dispatcher = Dispatcher { context, sender, tasks: JoinSet::new(), running: HashMap::new(), last: None };
    let mut news = dispatcher.context.db.announcements();
    let (mut poll_at, mut observe_at) = (Instant::now(), Instant::now());
    let mut changed = BTreeSet::new();
    loop {
        // Without a free place nothing is started, so a poll waits for one, and `changed` is kept.
        let has_place = dispatcher.tasks.len() < ENDPOINTS;
        if has_place && Instant::now() >= poll_at {
            dispatcher.start_due(None).await;
            (poll_at, changed) = (Instant::now() + POLL, BTreeSet::new());
        } else if has_place && !changed.is_empty() {
            dispatcher.start_due(Some(std::mem::take(&mut changed))).await;
        }
        if Instant::now() >= observe_at {
            observe_at = Instant::now() + OBSERVE;
            if let Err(error) = measures.observe(&dispatcher.context).await {
                tracing::debug!(?error, "pending deliveries were not counted; the gauges keep their values");
            }
        }
        let wake_at = if has_place { poll_at.min(observe_at) } else { observe_at };
        let received = tokio::select! {
            biased;
            _ = stopped.wait_for(|stopped| *stopped) => break,
            Some(ended) = dispatcher.tasks.join_next_with_id() => {
                // Its webhook was skipped while it ran, so changes that came as it ended are looked for now.
                changed.extend(dispatcher.ended(ended));
                continue;
            }
            received = news.recv() => received,
            () = sleep_until(wake_at) => continue,
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
    /// The webhook whose task was started last.
    last: Option<WebhookId>,
}

impl Dispatcher {
    /// Starts tasks for webhooks with work, in these workspaces or in all.
    async fn start_due(&mut self, of: Option<BTreeSet<WorkspaceId>>) {
        match self.find(of).await {
            Ok(found) => {
                for (webhook, workspace) in found {
                    if self.tasks.len() < ENDPOINTS && self.tasks_of(workspace) < OF_A_WORKSPACE {
                        let sender = self.sender.clone();
                        let task = self.tasks.spawn(async move { sender.work(webhook, workspace).await });
                        self.running.insert(task.id(), (webhook, workspace));
                        self.last = Some(webhook);
                    }
                }
            }
            Err(error) if error.is_already_logged() => tracing::debug!(?error, "could not look for webhooks with work"),
            Err(error) => tracing::warn!(?error, "could not look for webhooks with work"),
        }
    }

    fn tasks_of(&self, workspace: WorkspaceId) -> usize {
        self.running.values().filter(|(_, running)| *running == workspace).count()
    }

    /// Webhooks with work whose tasks do not run, in the order of their turns.
    // A running task looks for new work itself; a second one would only compete with it.
    async fn find(&self, of: Option<BTreeSet<WorkspaceId>>) -> Result<Vec<(WebhookId, WorkspaceId)>, Error> {
        let (running, workspaces): (Vec<_>, BTreeSet<_>) = self.running.values().copied().unzip();
        let (last, now) = (self.last, self.context.clock.now());
        let wanted = Wanted {
            of: of.map(|of| of.into_iter().collect()),
            running,
            full: workspaces.into_iter().filter(|workspace| self.tasks_of(*workspace) >= OF_A_WORKSPACE).collect(),
            last,
            limit: i64::try_from(ENDPOINTS - self.tasks.len()).unwrap_or(i64::MAX),
        };
        let find = move |conn: &mut _| {
            let mut found = store::due(conn, &wanted, now)?;
            found.extend(store::behind(conn, &wanted)?);
            Ok(found)
        };
        let mut found = self.context.read(find).await?;
        // Otherwise webhooks with due attempts would take all places, and new changes would wait.
        found.sort_unstable_by_key(|(webhook, _)| (last.is_some_and(|last| *webhook <= last), *webhook));
        found.dedup();
        Ok(found)
    }

    // `None` unless the task has done all its work: the next poll restarts it. At once, it would take a place from
    // others, or repeat a lasting failure without a pause.
    fn ended(&mut self, ended: Result<(Id, bool), JoinError>) -> Option<WorkspaceId> {
        let (task, is_done) = match ended {
            Ok(ended) => ended,
            Err(error) => {
                tracing::error!(%error, "the task of a webhook panicked; its claim will expire");
                (error.id(), false)
            }
        };
        self.running.remove(&task).filter(|_| is_done).map(|(_, workspace)| workspace)
    }
}
