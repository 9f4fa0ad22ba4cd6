//! Requests that wait for changes of a workspace. A commit in this process wakes them immediately. Commits of other
//! processes are polled twice a second, with one query for all workspaces that have readers.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use diesel::prelude::*;
use shared_model::{Error, Failure};
use shared_runtime::{Context, Waiting, on_each, service::Prepared};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, broadcast::error::RecvError, watch},
    time::{Instant, MissedTickBehavior, interval, timeout_at},
};

use crate::base::{ids::WorkspaceId, tables::workspaces};

// Further readers get their answer without waiting.
const WAITING: usize = 4096;
// Also how soon readers notice that this process stops.
const POLL: Duration = Duration::from_millis(500);

pub struct Followers {
    workspaces: Arc<Mutex<HashMap<WorkspaceId, Followed>>>,
    places: Arc<Semaphore>,
}

struct Followed {
    news: watch::Sender<u64>,
    followers: usize,
    /// The number of the last change at the last poll.
    sequence: Option<i64>,
}

/// Follows a workspace until it is dropped.
pub struct Follower {
    workspaces: Arc<Mutex<HashMap<WorkspaceId, Followed>>>,
    workspace: WorkspaceId,
    news: watch::Receiver<u64>,
    _place: OwnedSemaphorePermit,
}

impl Followers {
    fn new() -> Self {
        Self { workspaces: Arc::default(), places: Arc::new(Semaphore::new(WAITING)) }
    }

    /// Follows a workspace: later commits wake `Follower::news`. `None` if too many readers wait.
    pub fn follow(&self, workspace: WorkspaceId) -> Option<Follower> {
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        let mut workspaces = lock(&self.workspaces);
        let followed = workspaces.entry(workspace).or_insert_with(|| Followed {
            news: watch::Sender::new(0),
            followers: 0,
            sequence: None,
        });
        followed.followers += 1;
        let news = followed.news.subscribe();
        Some(Follower { workspaces: Arc::clone(&self.workspaces), workspace, news, _place: place })
    }

    /// Wakes the followers of one workspace, or of all.
    fn wake(&self, workspace: Option<WorkspaceId>) {
        let workspaces = lock(&self.workspaces);
        let woken = workspaces.iter().filter(|(id, _)| workspace.is_none_or(|workspace| workspace == **id));
        for (_, followed) in woken {
            followed.news.send_modify(|count| *count += 1);
        }
    }

    async fn poll(&self, context: &Context) -> Result<(), Error> {
        let ids: Vec<WorkspaceId> = lock(&self.workspaces).keys().copied().collect();
        if ids.is_empty() {
            return Ok(());
        }
        let found: Vec<(WorkspaceId, i64)> = context
            .read(move |conn| {
                Ok(on_each!(conn, |c| workspaces::table
                    .filter(workspaces::id.eq_any(&ids))
                    .select((workspaces::id, workspaces::change_sequence))
                    .load(c))?)
            })
            .await?;
        let mut workspaces = lock(&self.workspaces);
        for (id, sequence) in found {
            if let Some(followed) = workspaces.get_mut(&id) {
                // The first poll wakes them, too: a commit may have come between their own query and this one.
                if followed.sequence.replace(sequence) != Some(sequence) {
                    followed.news.send_modify(|count| *count += 1);
                }
            }
        }
        Ok(())
    }
}

pub async fn prepare(context: Context) -> Result<Prepared, Failure> {
    let followers = Arc::new(Followers::new());
    Ok(Prepared::new(run(Arc::clone(&followers), context)).state(followers))
}

async fn run(followers: Arc<Followers>, context: Context) {
    let mut news = context.db.announcements();
    let mut ticks = interval(POLL);
    // After a slow poll, the missed ones are not made up for.
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            announced = news.recv() => match announced {
                Ok(topic) => followers.wake(Some(WorkspaceId::from_number(topic))),
                // Announcements were missed, so any workspace may have changed.
                Err(RecvError::Lagged(_)) => followers.wake(None),
                Err(RecvError::Closed) => return,
            },
            _ = ticks.tick() => {
                if !context.readiness.is_on() {
                    // All readers answer now, so that the stop need not wait for them.
                    followers.wake(None);
                } else if let Err(error) = followers.poll(&context).await {
                    // No warning: readers query again at the end of their wait and report the failure themselves.
                    tracing::debug!(?error, "could not poll for changes of other processes");
                }
            }
        }
    }
}

impl Follower {
    /// Whether there may be changes since the last return. False at the end of the time, or if the client has left.
    pub async fn has_news(&mut self, until: Instant, waiting: &Waiting) -> bool {
        tokio::select! {
            news = timeout_at(until, self.news()) => news.is_ok(),
            () = waiting.client_has_left() => false,
        }
    }

    /// Returns when there may be changes since the last return, or since the start.
    async fn news(&mut self) {
        if self.news.changed().await.is_err() {
            // Cannot happen: the map keeps the sender as long as a follower exists.
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let mut workspaces = lock(&self.workspaces);
        if let Some(followed) = workspaces.get_mut(&self.workspace) {
            followed.followers -= 1;
            if followed.followers == 0 {
                // Otherwise each poll would query all workspaces that ever had a reader.
                workspaces.remove(&self.workspace);
            }
        }
    }
}

fn lock(workspaces: &Mutex<HashMap<WorkspaceId, Followed>>) -> MutexGuard<'_, HashMap<WorkspaceId, Followed>> {
    workspaces.lock().unwrap_or_else(PoisonError::into_inner)
}
