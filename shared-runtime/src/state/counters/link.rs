//! The line to Redis, with a breaker: a Redis that is away costs the requests that find out at most [`PATIENCE`], and the
//! others nothing. After [`PAUSE`] one request at a time tries to connect again while the others go on without.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use redis::{
    AsyncConnectionConfig, Client, FromRedisValue, RedisResult, Script, ScriptInvocation, aio::MultiplexedConnection,
};
use shared_model::{Failure, Timestamp};
use tokio::{task::JoinHandle, time};

use crate::base::clock::Clock;

/// What one call may cost, connecting included.
pub const PATIENCE: Duration = Duration::from_millis(75);

/// How long nobody tries after a failure.
pub const PAUSE: Duration = Duration::from_secs(1);

/// How long connecting may take; the request that began it waits no longer than [`PATIENCE`].
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Commands that may wait for the socket at once.
const BUFFERED: usize = 1024;

/// The line to one Redis.
pub struct Link {
    client: Client,
    scripts: Vec<Script>,
    patience: Duration,
    switch: Arc<Switch>,
}

struct Switch {
    /// Where Redis is; the URL itself may hold a password.
    place: String,
    clock: Clock,
    state: Mutex<State>,
}

enum State {
    /// Not used yet.
    Idle,
    /// One request is connecting; `was_down` says whether that is news.
    Probing { was_down: bool },
    /// In use.
    Up(Line),
    /// Found away at this moment.
    Down(Timestamp),
}

#[derive(Clone)]
struct Line {
    connection: MultiplexedConnection,
    /// Tells this connection from those before: a late failure of an old one says nothing about the present one.
    made: Arc<()>,
}

impl Link {
    /// The line to the Redis at `url`, not connected yet; `scripts` are loaded whenever it connects. No call takes longer
    /// than `patience`.
    pub fn new(url: &str, scripts: Vec<Script>, patience: Duration, clock: Clock) -> Result<Self, Failure> {
        // The error of the parser is not passed on: the URL may hold a password.
        let client = Client::open(url)
            .map_err(|_| Failure::fault("the Redis URL is not of the form redis://[user:password@]host[:port][/db]"))?;
        let place = client.get_connection_info().addr().to_string();
        let switch = Arc::new(Switch { place, clock, state: Mutex::new(State::Idle) });
        Ok(Self { client, scripts, patience, switch })
    }

    /// Whether Redis was found away and has not come back yet.
    pub fn is_away(&self) -> bool {
        matches!(&*self.switch.lock(), State::Down(_) | State::Probing { was_down: true })
    }

    /// Runs a script once, never twice: whether a call that timed out took effect is unknown. `None` when Redis is away.
    /// The call is made when the line is there, so that it tells what happened while it was not.
    pub async fn run<'a, T: FromRedisValue>(&self, call: impl FnOnce() -> ScriptInvocation<'a>) -> Option<T> {
        let deadline = time::Instant::now() + self.patience;
        let mut line = time::timeout_at(deadline, self.line()).await.ok().flatten()?;
        let cause = match time::timeout_at(deadline, call().invoke_async(&mut line.connection)).await {
            Ok(Ok(answer)) => return Some(answer),
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("no answer within {:?}", self.patience),
        };
        self.switch.trip(&line, &cause);
        None
    }

    async fn line(&self) -> Option<Line> {
        let connecting = {
            let mut state = self.switch.lock();
            let was_down = match &*state {
                State::Up(line) => return Some(line.clone()),
                State::Probing { .. } => return None,
                State::Down(since) if self.switch.is_resting(*since) => return None,
                State::Down(_) => true,
                State::Idle => false,
            };
            *state = State::Probing { was_down };
            self.connect(was_down)
        };
        connecting.await.ok().flatten()
    }

    /// Connects in a task of its own, which goes on when the request that began it waits no longer or is gone.
    fn connect(&self, was_down: bool) -> JoinHandle<Option<Line>> {
        let probe = Probe { switch: Arc::clone(&self.switch), was_down, cause: "stopped", found: None };
        let (client, scripts, patience) = (self.client.clone(), self.scripts.clone(), self.patience);
        tokio::spawn(async move {
            let mut probe = probe;
            match time::timeout(patience.max(CONNECT_TIMEOUT), dial(client, scripts)).await {
                Ok(Ok(connection)) => probe.found = Some(Line { connection, made: Arc::new(()) }),
                Ok(Err(error)) => {
                    probe.cause = "refused";
                    tracing::debug!(redis = probe.switch.place, %error, "connecting to Redis failed");
                }
                Err(_) => probe.cause = "no answer to a connection",
            }
            probe.found.clone()
        })
    }
}

async fn dial(client: Client, scripts: Vec<Script>) -> RedisResult<MultiplexedConnection> {
    // The outer timeouts are the only ones.
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(None)
        .set_response_timeout(None)
        .set_pipeline_buffer_size(BUFFERED);
    let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
    // Also the proof that Redis answers, not only its kernel.
    for script in scripts {
        script.load_async(&mut connection).await?;
    }
    Ok(connection)
}

/// An attempt to connect. It ends in `Up` or `Down` even when its task is dropped with its runtime.
struct Probe {
    switch: Arc<Switch>,
    was_down: bool,
    cause: &'static str,
    found: Option<Line>,
}

impl Drop for Probe {
    fn drop(&mut self) {
        let mut state = self.switch.lock();
        if let Some(line) = self.found.take() {
            *state = State::Up(line);
            tracing::info!(redis = self.switch.place, "Redis is there");
        } else {
            *state = State::Down(self.switch.clock.now());
            if !self.was_down {
                self.switch.report(self.cause);
            }
        }
    }
}

impl Switch {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn trip(&self, line: &Line, cause: &str) {
        let mut state = self.lock();
        if matches!(&*state, State::Up(present) if Arc::ptr_eq(&present.made, &line.made)) {
            *state = State::Down(self.clock.now());
            self.report(cause);
        }
    }

    /// Within the pause; a clock that was set back does not lengthen it.
    fn is_resting(&self, since: Timestamp) -> bool {
        let now = self.clock.now();
        now >= since && now < since.plus(PAUSE)
    }

    fn report(&self, cause: &str) {
        tracing::warn!(redis = self.place, cause, "Redis is away; this process counts for itself until it is back");
    }
}
