//! The circuit breaker of the Redis connection. While Redis is away, one request per [`RETRY_INTERVAL`] tries to
//! connect; the others do not wait.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use redis::aio::MultiplexedConnection;
use shared_model::Timestamp;

use crate::base::clock::Clock;

pub const RETRY_INTERVAL: Duration = Duration::from_secs(1);

pub struct Breaker {
    /// `host:port`, for the log. The URL may hold a password.
    address: String,
    clock: Clock,
    circuit: Mutex<Circuit>,
}

enum Circuit {
    Idle,
    Connecting { outage: Option<Outage> },
    Up(Connection),
    Down { at: Timestamp, outage: Outage },
}

#[derive(Clone)]
struct Outage {
    since: Timestamp,
    cause: String,
}

#[derive(Clone)]
pub struct Connection {
    pub multiplexed: MultiplexedConnection,
    // A late failure of an earlier connection must not close the present one.
    identity: Arc<()>,
}

/// What a request should do.
pub enum Access {
    Connected(Connection),
    /// Connect, and report the result through the attempt.
    Connect(ConnectAttempt),
    Unavailable,
}

impl Breaker {
    pub fn new(address: String, clock: Clock) -> Arc<Self> {
        Arc::new(Self { address, clock, circuit: Mutex::new(Circuit::Idle) })
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn outage(&self) -> Option<String> {
        match &*self.lock() {
            Circuit::Down { outage, .. } => Some(outage.cause.clone()),
            Circuit::Connecting { outage } => outage.as_ref().map(|outage| outage.cause.clone()),
            Circuit::Idle | Circuit::Up(_) => None,
        }
    }

    pub fn access(self: &Arc<Self>) -> Access {
        let mut circuit = self.lock();
        let outage = match &*circuit {
            Circuit::Up(connection) => return Access::Connected(connection.clone()),
            Circuit::Connecting { .. } => return Access::Unavailable,
            Circuit::Down { at, .. } if self.is_within_interval(*at) => return Access::Unavailable,
            Circuit::Down { outage, .. } => Some(outage.clone()),
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

    /// Opens the circuit after a failure of this connection.
    pub fn open(&self, failed: &Connection, cause: &str) {
        let mut circuit = self.lock();
        if matches!(&*circuit, Circuit::Up(present) if Arc::ptr_eq(&present.identity, &failed.identity)) {
            *circuit = Circuit::Down { at: self.clock.now(), outage: self.begin(cause.to_owned()) };
        }
    }

    // A clock that was set back must not lengthen the interval.
    fn is_within_interval(&self, since: Timestamp) -> bool {
        let now = self.clock.now();
        now >= since && now < since.plus(RETRY_INTERVAL)
    }

    fn begin(&self, cause: String) -> Outage {
        tracing::warn!(redis = self.address, cause, "Redis is away; this process counts for itself until it is back");
        Outage { since: self.clock.now(), cause }
    }

    fn end(&self, outage: &Outage) {
        let lasted = u64::try_from(self.clock.now().micros() - outage.since.micros()).unwrap_or_default();
        let seconds = Duration::from_micros(lasted).as_secs_f64();
        tracing::info!(redis = self.address, seconds, "Redis is back");
    }

    fn lock(&self) -> MutexGuard<'_, Circuit> {
        self.circuit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reports the result when it is dropped. So a task that dies with its runtime does not leave the circuit in
/// `Connecting` forever.
pub struct ConnectAttempt {
    breaker: Arc<Breaker>,
    outage: Option<Outage>,
    cause: String,
    connected: Option<Connection>,
}

impl ConnectAttempt {
    pub fn succeed(mut self, multiplexed: MultiplexedConnection) -> Connection {
        let connection = Connection { multiplexed, identity: Arc::new(()) };
        self.connected = Some(connection.clone());
        connection
    }

    pub fn fail(mut self, cause: String) {
        self.cause = cause;
    }
}

impl Drop for ConnectAttempt {
    fn drop(&mut self) {
        let breaker = &self.breaker;
        let mut circuit = breaker.lock();
        *circuit = match (self.connected.take(), self.outage.take()) {
            (Some(connection), outage) => {
                match outage {
                    Some(outage) => breaker.end(&outage),
                    None => tracing::info!(redis = breaker.address, "connected to Redis"),
                }
                Circuit::Up(connection)
            }
            (None, outage) => {
                let outage = outage.unwrap_or_else(|| breaker.begin(std::mem::take(&mut self.cause)));
                Circuit::Down { at: breaker.clock.now(), outage }
            }
        };
    }
}
