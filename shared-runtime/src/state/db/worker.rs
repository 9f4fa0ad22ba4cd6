//! A database thread: it owns one connection, connects when there is work, and reconnects when the connection breaks.

use std::{
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::Duration,
};

use crossbeam_channel::Receiver;
use shared_model::Failure;
use tokio::time::Instant;

use super::{
    address::Address,
    job::{Job, Verdict},
    postgres,
    queue::Order,
    sqlite,
};
use crate::state::db::Conn;

/// After a failed attempt to connect, nobody tries again for this long: a database that is down costs callers no time.
const OUTAGE: Duration = Duration::from_millis(400);

/// What the threads of one database share.
pub(super) struct Shared {
    /// Where the database is.
    pub(super) address: Address,
    /// Held together by transactions on PostgreSQL, and alone by one that has lost races, so that each of them gets its turn.
    pub(super) races: RwLock<()>,
    down_until: Mutex<Option<Instant>>,
}

impl Shared {
    pub(super) fn new(address: Address) -> Self {
        Self { address, races: RwLock::new(()), down_until: Mutex::new(None) }
    }

    fn connect(&self) -> Result<Conn, Failure> {
        // The machine's own clock: what is measured is a real outage.
        let down_until = *self.down_until.lock().unwrap_or_else(PoisonError::into_inner);
        if down_until.is_some_and(|until| Instant::now() < until) {
            return Err(Failure::unavailable("the database was not there a moment ago"));
        }
        let connected = match &self.address {
            Address::Sqlite(path) => sqlite::connect(path, sqlite::Side::Read),
            Address::Postgres(url) => postgres::connect(url, postgres::Side::Work),
        };
        let until = connected.is_err().then(|| Instant::now() + OUTAGE);
        *self.down_until.lock().unwrap_or_else(PoisonError::into_inner) = until;
        connected
    }
}

/// One thread's connection.
pub(super) struct Worker {
    /// What it shares with the others.
    pub(super) shared: Arc<Shared>,
    conn: Option<Conn>,
}

impl Worker {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, conn: None }
    }

    /// Works until it is told to stop or nobody can ask any more.
    pub(super) fn work(mut self, orders: &Receiver<Order>) {
        while let Ok(order) = orders.recv() {
            match order {
                Order::Read(job) if job.claim() => self.read(job),
                Order::Write(job) if job.claim() => postgres::write(&mut self, job),
                Order::Read(_) | Order::Write(_) => {}
                Order::Stop => break,
            }
        }
    }

    /// The connection, made if there is none.
    pub(super) fn conn(&mut self) -> Result<&mut Conn, Failure> {
        let conn = match self.conn.take() {
            Some(conn) => conn,
            None => self.shared.connect()?,
        };
        Ok(self.conn.insert(conn))
    }

    /// Forgets the connection; the next job makes a new one.
    pub(super) fn disconnect(&mut self) {
        self.conn = None;
    }

    fn read(&mut self, mut job: Box<dyn Job>) {
        let mut is_second = false;
        loop {
            let conn = match self.conn() {
                Ok(conn) => conn,
                Err(failure) => {
                    job.spoil(failure);
                    return job.answer();
                }
            };
            match job.run(conn) {
                Verdict::Done => return job.answer(),
                Verdict::Panicked => {
                    self.disconnect();
                    return job.answer();
                }
                Verdict::Lost => self.disconnect(),
                Verdict::Halted | Verdict::Conflict { .. } => return job.answer(),
            }
            if is_second {
                return job.answer();
            }
            is_second = true;
        }
    }
}
