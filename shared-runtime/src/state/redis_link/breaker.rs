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
    /// One request is connecting; with the cause of the outage that is in the log already.
    Connecting { outage: Option<String> },
    /// In use.
    Up(Connection),
    /// Found away, last at this time.
    Down { at: Timestamp, cause: String },
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

    pub fn address(&self) -> &str {
        &self.address
    }

    /// Why Redis was found away, if no connection has succeeded since.
    pub fn outage(&self) -> Option<String> {
        match &*self.lock() {
            Circuit::Down { cause, .. } => Some(cause.clone()),
            Circuit::Connecting { outage } => outage.clone(),
            Circuit::Idle | Circuit::Up(_) => None,
        }
    }

    pub fn access(self: &Arc<Self>) -> Access {
        let mut circuit = self.lock();
        let outage = match &*circuit {
            Circuit::Up(connection) => return Access::Connected(connection.clone()),
            Circuit::Connecting { .. } => return Access::Unavailable,
            Circuit::Down { at, .. } if self.is_within_interval(*at) => return Access::Unavailable,
            Circuit::Down { cause, .. } => Some(cause.clone()),
            Circuit::Idle => None,
        };
        *circuit = Circuit::Connecting { outage: outage.clone() };
        Access::Connect(ConnectAttempt {
            breaker: Arc::clone(self),
            outage,
            cause: "the attempt was cut off".to_owned(),
            connected: None,
        })
    }

    /// Takes a connection that failed out of use.
    pub fn open(&self, failed: &Connection, cause: &str) {
        let mut circuit = self.lock();
        if matches!(&*circuit, Circuit::Up(present) if Arc::ptr_eq(&present.identity, &failed.identity)) {
            *circuit = Circuit::Down { at: self.clock.now(), cause: cause.to_owned() };
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
    outage: Option<String>,
    cause: String,
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
    pub fn fail(mut self, cause: String) {
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
            let told = self.outage.take();
            if told.is_none() {
                self.breaker.log_outage(&self.cause);
            }
            let cause = told.unwrap_or_else(|| std::mem::take(&mut self.cause));
            *circuit = Circuit::Down { at: self.breaker.clock.now(), cause };
        }
    }
}
