//! The database: one way to read, one way to write, on SQLite and on PostgreSQL.
//!
//! Every connection is owned by one thread; the threads take jobs from a bounded queue. On SQLite one thread writes
//! and lets transactions share a commit; on PostgreSQL every thread reads and writes.

mod address;
mod columns;
mod conn;
mod job;
mod migrations;
mod postgres;
mod prepared;
mod queue;
pub mod schema;
mod sqlite;
pub mod tables;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod wake;
mod worker;

use std::{
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::Duration,
};

use diesel::{IntoSql as _, RunQueryDsl as _, sql_types::Integer};
use shared_model::{Error, Failure};
use tokio::sync::Notify;

use address::Address;
use queue::{Order, Queue};
use worker::{Shared, Worker};

pub use columns::columns;
pub use conn::Conn;
pub use migrations::Migrations;
pub use prepared::{Prepared, prepared};

/// Runs one diesel expression on whichever connection this is, for what [`Conn`] itself cannot express
/// (upserts, batch inserts): the expression is written once and compiled for both.
#[macro_export]
macro_rules! on_each {
    ($conn:expr, |$concrete:ident| $expression:expr) => {
        match $conn {
            $crate::state::db::Conn::Postgres($concrete) => $expression,
            $crate::state::db::Conn::Sqlite($concrete) => $expression,
        }
    };
}

/// Runs a part of a transaction that may fail without the transaction failing: what it did is undone, and the transaction goes on.
/// PostgreSQL needs this around a statement whose error (a unique key) the transaction wants to survive.
pub fn savepoint<T, E: From<diesel::result::Error>>(
    conn: &mut Conn,
    part: impl FnOnce(&mut Conn) -> Result<T, E>,
) -> Result<T, E> {
    #[expect(clippy::disallowed_methods, reason = "inside a transaction it is a savepoint")]
    diesel::Connection::transaction(conn, part)
}

/// The read side and the write side of one database.
#[derive(Clone)]
pub struct Db(Arc<Inner>);

struct Inner {
    address: Address,
    reads: Queue,
    writes: Queue,
    /// With the queue that each of them serves.
    threads: Mutex<Vec<(Queue, JoinHandle<()>)>>,
    /// A transaction has enqueued a job, and is committed.
    enqueued: Notify,
}

/// Jobs that may wait for each connection before the next is refused.
const QUEUED: usize = 128;

impl Db {
    /// Opens `sqlite:PATH`, `postgres://…` or `postgresql://…` with this many connections for reads; PostgreSQL uses
    /// them for writes too. A SQLite file is made if there is none; a PostgreSQL server need not be there yet.
    pub async fn open(url: &str, connections: usize) -> Result<Self, Failure> {
        let address = Address::parse(url)?;
        blocking(move || Self::start(address, connections.max(1))).await
    }

    fn start(address: Address, connections: usize) -> Result<Self, Failure> {
        let shared = Arc::new(Shared::new(address.clone()));
        let (reads, orders) = Queue::bounded(connections * QUEUED);
        let mut threads = Vec::new();
        let writes = match &address {
            Address::Postgres(_) => reads.clone(),
            Address::Sqlite(path) => {
                let (writes, orders) = Queue::bounded(connections.max(8) * QUEUED);
                let writer = sqlite::Writer::new(path.clone(), sqlite::connect(path, sqlite::Side::Write)?);
                threads.push((writes.clone(), spawn("db-writer".to_owned(), move || writer.work(&orders))?));
                writes
            }
        };
        for number in 0..connections {
            let (worker, orders) = (Worker::new(Arc::clone(&shared)), orders.clone());
            threads.push((reads.clone(), spawn(format!("db-{number}"), move || worker.work(&orders))?));
        }
        Ok(Self(Arc::new(Inner { address, reads, writes, threads: Mutex::new(threads), enqueued: Notify::new() })))
    }

    /// Runs a query on the read side: it cannot write, and what it reads was committed when it began. It may run twice,
    /// when the connection breaks under it.
    pub async fn read<T: Send + 'static>(
        &self,
        query: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.0.reads.ask(Order::Read, query).await
    }

    /// Runs a transaction in a transaction of its own, as if it were alone: again, when it lost a race. A transaction that is refused,
    /// fails or panics leaves nothing behind. What it returns is on the disk.
    pub async fn write<T: Send + 'static>(
        &self,
        transaction: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (outcome, has_enqueued) = self.0.writes.ask(Order::Write, wake::watched(transaction)).await?;
        if has_enqueued {
            self.0.enqueued.notify_one();
        }
        Ok(outcome)
    }

    /// Returns when a transaction of this process has enqueued a job since it returned last.
    pub(crate) async fn enqueued(&self) {
        self.0.enqueued.notified().await;
    }

    /// Whether the database answers, within a second.
    pub async fn ping(&self) -> Result<(), Failure> {
        let one = self.read(|conn| Ok(diesel::select(1.into_sql::<Integer>()).get_result::<i32>(conn)?));
        match tokio::time::timeout(Duration::from_secs(1), one).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(Error::Failed(failure))) => Err(failure),
            Ok(Err(Error::Refused(_))) => Err(Failure::fault("a ping is never refused")),
            Err(_) => Err(Failure::unavailable("the database did not answer within a second")),
        }
    }

    /// Brings the schema up to date: the runtime's tables, then the service's. The names of the migrations that ran.
    pub async fn migrate(&self, migrations: &Migrations) -> Result<Vec<String>, Failure> {
        let (address, migrations) = (self.0.address.clone(), *migrations);
        blocking(move || migrations::run(&address, migrations)).await
    }

    /// The names of the migrations that the database lacks. Changes nothing.
    pub async fn pending_migrations(&self, migrations: &Migrations) -> Result<Vec<String>, Failure> {
        let (address, migrations) = (self.0.address.clone(), *migrations);
        blocking(move || migrations::pending(&address, migrations)).await
    }

    /// Lets the threads finish what is queued, end, and close their connections; what comes later fails. A database
    /// that is dropped without it closes as well, but nobody waits for that.
    pub async fn close(&self) {
        let threads = std::mem::take(&mut *self.0.threads.lock().unwrap_or_else(PoisonError::into_inner));
        let closed = blocking(move || {
            for (queue, _) in &threads {
                queue.stop();
            }
            for (_, thread) in threads {
                thread.join().map_err(|_| Failure::fault("a database thread panicked"))?;
            }
            Ok(())
        });
        if let Err(failure) = closed.await {
            tracing::error!(%failure, "closing the database");
        }
    }

    /// Whether [`Db::close`] was called.
    pub fn is_closed(&self) -> bool {
        self.0.writes.is_closed()
    }
}

fn spawn(name: String, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Failure> {
    thread::Builder::new()
        .name(name)
        .spawn(work)
        .map_err(|error| Failure::unavailable("starting a database thread").from_source(error))
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Failure> + Send + 'static) -> Result<T, Failure> {
    match tokio::task::spawn_blocking(work).await {
        Ok(outcome) => outcome,
        Err(error) => Err(Failure::fault("work on a blocking thread").from_source(error)),
    }
}
