//! The circuit breaker of the connection to Redis: while Redis is away one request per [`RETRY_INTERVAL`] tries to
//! connect, and no other spends time on it.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use redis::aio::MultiplexedConnection;
use shared_model::Timestamp;

use crate::base::clock::Clock;

/// The time between a failure and the next attempt to connect.
pub const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// The breaker of one link.
pub struct Breaker {
    /// `host:port`, for the log; the URL may hold a password.
    address: String,
    clock: Clock,
    circuit: Mutex<Circuit>,
}

enum Circuit {
    /// Not used yet.
    Idle,
    /// One request is connecting. `was_down`: the outage is in the log already.
    Connecting { was_down: bool },
    /// In use.
    Up(Connection),
    /// Found away at this time.
    Down(Timestamp),
}

/// A connection in use.
#[derive(Clone)]
pub struct Connection {
    pub multiplexed: MultiplexedConnection,
    /// Identifies the connection: a late failure on an earlier one must not close the present one.
    identity: Arc<()>,
}

/// What a request that needs Redis does.
pub enum Access {
    /// Uses this connection.
    Connected(Connection),
    /// Connects, and reports with the attempt.
    Connect(ConnectAttempt),
    /// Goes on without Redis.
    Unavailable,
}

impl Breaker {
    pub fn new(address: String, clock: Clock) -> Arc<Self> {
        Arc::new(Self { address, clock, circuit: Mutex::new(Circuit::Idle) })
    }

    /// Whether Redis was found away and no connection has succeeded since.
    pub fn is_away(&self) -> bool {
        matches!(&*self.lock(), Circuit::Down(_) | Circuit::Connecting { was_down: true })
    }

    pub fn access(self: &Arc<Self>) -> Access {
        let mut circuit = self.lock();
        let was_down = match &*circuit {
            Circuit::Up(connection) => return Access::Connected(connection.clone()),
            Circuit::Connecting { .. } => return Access::Unavailable,
            Circuit::Down(since) if self.is_within_interval(*since) => return Access::Unavailable,
            Circuit::Down(_) => true,
            Circuit::Idle => false,
        };
        *circuit = Circuit::Connecting { was_down };
        Access::Connect(ConnectAttempt { breaker: Arc::clone(self), was_down, cause: "stopped", connected: None })
    }

    /// Takes a connection that failed out of use.
    pub fn open(&self, failed: &Connection, cause: &str) {
        let mut circuit = self.lock();
        if matches!(&*circuit, Circuit::Up(present) if Arc::ptr_eq(&present.identity, &failed.identity)) {
            *circuit = Circuit::Down(self.clock.now());
            self.log_outage(cause);
        }
    }

    /// A clock that was set back does not lengthen the interval.
    fn is_within_interval(&self, since: Timestamp) -> bool {
        let now = self.clock.now();
        now >= since && now < since.plus(RETRY_INTERVAL)
    }

    fn log_outage(&self, cause: &str) {
        tracing::warn!(redis = self.address, cause, "Redis is away; this process counts for itself until it is back");
    }

    fn lock(&self) -> MutexGuard<'_, Circuit> {
        self.circuit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An attempt to connect. Its drop closes or opens the circuit, so that a task that dies with its runtime does not leave
/// the breaker in `Connecting` for ever.
pub struct ConnectAttempt {
    breaker: Arc<Breaker>,
    was_down: bool,
    cause: &'static str,
    connected: Option<Connection>,
}

impl ConnectAttempt {
    /// Ends the attempt with a connection.
    pub fn succeed(mut self, multiplexed: MultiplexedConnection) -> Connection {
        let connection = Connection { multiplexed, identity: Arc::new(()) };
        self.connected = Some(connection.clone());
        connection
    }

    /// Ends the attempt without one.
    pub fn fail(mut self, cause: &'static str) {
        self.cause = cause;
    }
}

impl Drop for ConnectAttempt {
    fn drop(&mut self) {
        let mut circuit = self.breaker.lock();
        if let Some(connection) = self.connected.take() {
            *circuit = Circuit::Up(connection);
            tracing::info!(redis = self.breaker.address, "connected to Redis");
        } else {
            *circuit = Circuit::Down(self.breaker.clock.now());
            if !self.was_down {
                self.breaker.log_outage(self.cause);
            }
        }
    }
}
