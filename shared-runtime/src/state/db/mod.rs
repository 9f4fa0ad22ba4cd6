//! The database: one way to read, one way to write, on SQLite and on PostgreSQL.
//!
//! Executor threads take work from bounded queues, and a connection for it from an r2d2 pool that has one for each of
//! them. Writes that wait share a commit.

mod address;
mod adoption;
mod batch;
mod columns;
mod conn;
mod database_identity;
mod embedded;
pub(crate) mod idempotency_record;
mod lane;
mod measures;
mod migrations;
mod outage;
mod overload;
mod pool;
mod postgres;
mod prepared;
mod queue;
mod read;
pub mod schema;
mod serving_lock;
mod side;
mod sqlite;
mod sqlite_file;
pub mod tables;
#[cfg(test)]
pub(crate) mod tests;
mod transaction;
pub(crate) mod wake;
mod work;
mod write;
mod wrong_database;

use std::{
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::Duration,
};

use diesel::{IntoSql as _, RunQueryDsl as _, sql_types::Integer};
use scheduled_thread_pool::ScheduledThreadPool;
use shared_model::{Error, Failure};
use tokio::sync::{Notify, broadcast, oneshot};

use address::Address;
use idempotency_record::IdempotencyRecord;
use lane::Lane;
use measures::SideState;
use outage::Outage;
use pool::Pool;
use queue::Queue;
use serving_lock::ServingLock;
use side::Side;
use sqlite_file::OpenedFile;
use write::Writer;

use crate::base::metrics::{Metric, Metrics};

/// For [`crate::migrations!`].
#[doc(hidden)]
pub use diesel_migrations;

pub use columns::columns;
pub use conn::Conn;
pub use database_identity::DatabaseIdentity;
pub use embedded::Migrations;
pub use lane::LaneKey;
pub use prepared::{Prepared, prepared};
pub use wake::announce;
pub use wrong_database::WrongDatabase;

/// Runs a part of a transaction that may fail without all of it failing: what the part did is undone.
/// PostgreSQL needs this around a statement whose error (a unique key) the transaction is to survive.
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
    identity: DatabaseIdentity,
    /// Where the database is a file.
    file: Option<OpenedFile>,
    /// Held while the file is served.
    lock: Mutex<Option<ServingLock>>,
    outage: Arc<Outage>,
    reads: Queue,
    /// First that of writes without a key; where there are no others, it takes all.
    writes: Vec<Queue>,
    /// With the queue that each of them serves.
    threads: Mutex<Vec<(Queue, JoinHandle<()>)>>,
    /// A transaction has enqueued a job, and is committed.
    enqueued: Notify,
    /// The topics of which committed transactions had news.
    news: broadcast::Sender<i64>,
}

const QUEUED: Metric = Metric { name: "database_queued", help: "Work that waits for a database thread, by side." };
const AWAY: Metric = Metric { name: "database_away", help: "1 while the database is not available." };

/// Work that may wait for each reading thread before more is refused.
const QUEUED_READS: usize = 128;
/// Writes that may wait in each lane before more are refused.
const QUEUED_WRITES: usize = 1024;
/// Topics that a listener may be behind.
const KEPT_NEWS: usize = 1024;
/// How long a stop waits for the threads.
const CLOSE: Duration = Duration::from_secs(5);
/// Threads that make connections.
const CONNECTORS: usize = 2;

impl Db {
    /// Opens `sqlite:PATH`, `postgres://…` or `postgresql://…` with this many connections for reads. PostgreSQL has
    /// five more for writes, SQLite one. A SQLite file is made if there is none, and refused if it is not of this identity; a
    /// PostgreSQL server need not be there yet: whose database it is is seen by [`Db::migrate`].
    pub async fn open(url: &str, connections: usize, identity: DatabaseIdentity) -> Result<Self, Failure> {
        let address = Address::parse(url)?;
        blocking(move || Self::start(address, connections.max(1), identity)).await
    }

    /// Whether the service of this name could have its database there, as far as can be told without a secret and a server: an
    /// error says why not. Makes nothing.
    pub fn check_place(url: &str, service: &'static str) -> Result<(), Failure> {
        let address = Address::parse(url)?;
        match &address {
            Address::Sqlite(_) => match address.look()? {
                Some(mut conn) => database_identity::of_no_other(&mut conn, service),
                None => Ok(()),
            },
            Address::Postgres(_) => Ok(()),
        }
    }

    fn start(address: Address, connections: usize, identity: DatabaseIdentity) -> Result<Self, Failure> {
        let background =
            ScheduledThreadPool::builder().num_threads(CONNECTORS).thread_name_pattern("db-connect-{}").build();
        let background = Arc::new(background);
        let outage = Arc::<Outage>::default();
        let (of_reads, of_writes) = (SideState::of("read", &outage), SideState::of("write", &outage));
        let mut threads = Vec::new();
        let mut writes = Vec::new();
        let mut lanes = vec![Lane::alone()];
        if let Address::Postgres(_) = &address {
            lanes.extend(Lane::keyed());
        }
        let pool = Pool::new(address.clone(), Side::Write, lanes.len(), &background, &outage);
        let mut file = None;
        if let Address::Sqlite(path) = &address {
            // Another's file stays as it is: even opening it to write may change its journal.
            if let Some(mut conn) = address.look()? {
                identity.standing(&mut conn)?;
            }
            // Makes the file, or tells at once that it cannot be made.
            drop(pool.get()?);
            file = Some(OpenedFile::at(path)?);
        }
        for (number, lane) in lanes.into_iter().enumerate() {
            let (queue, arrivals) = Queue::bounded(QUEUED_WRITES, of_writes.clone());
            let (pool, is_file) = (pool.clone(), matches!(address, Address::Sqlite(_)));
            let thread = spawn(format!("db-write-{number}"), move || {
                Writer::new(pool.clone(), lane).execute(arrivals);
                if is_file {
                    checkpoint(&pool);
                }
            })?;
            threads.push((queue.clone(), thread));
            writes.push(queue);
        }
        let pool = Pool::new(address.clone(), Side::Read, connections, &background, &outage);
        let (reads, arrivals) = Queue::bounded(connections * QUEUED_READS, of_reads);
        for number in 0..connections {
            let (pool, arrivals) = (pool.clone(), arrivals.clone());
            let thread = spawn(format!("db-read-{number}"), move || read::execute(&pool, arrivals))?;
            threads.push((reads.clone(), thread));
        }
        Ok(Self(Arc::new(Inner {
            address,
            identity,
            file,
            lock: Mutex::default(),
            outage,
            reads,
            writes,
            threads: Mutex::new(threads),
            enqueued: Notify::new(),
            news: broadcast::Sender::new(KEPT_NEWS),
        })))
    }

    /// Runs a query on the read side: it cannot write, and what it reads was committed when it began. It may run twice,
    /// when the connection breaks under it.
    pub async fn read<T: Send + 'static>(
        &self,
        query: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.0.reads.run(move |conn| Ok((query(conn)?, None))).await
    }

    /// Runs a transaction that no other runs beside, in any process. It may run more than once. One that is refused,
    /// fails or panics leaves nothing behind. What it returns is on the disk.
    pub async fn write<T: Send + 'static>(
        &self,
        transaction: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.run(None, move |conn| Ok((transaction(conn)?, None))).await
    }

    /// Runs a transaction that no other of this key runs beside, in any process; those of other keys may. So it reads
    /// and changes only what belongs to its key, and what only transactions without a key change.
    pub async fn write_in<T: Send + 'static>(
        &self,
        key: LaneKey,
        transaction: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.run(Some(key), move |conn| Ok((transaction(conn)?, None))).await
    }

    /// The same for a command: the row of its key is inserted with its effects. Fails when the key has one already.
    pub(crate) async fn write_command<T: Send + 'static>(
        &self,
        key: LaneKey,
        transaction: impl Fn(&mut Conn) -> Result<(T, IdempotencyRecord), Error> + Send + 'static,
    ) -> Result<T, Error> {
        let transaction = move |conn: &mut Conn| transaction(conn).map(|(value, row)| (value, Some(row)));
        self.run(Some(key), transaction).await
    }

    async fn run<T: Send + 'static>(
        &self,
        key: Option<LaneKey>,
        transaction: impl Fn(&mut Conn) -> Result<work::Output<T>, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (common, keyed) = self.0.writes.split_first().ok_or_else(|| Failure::fault("no lane for writes"))?;
        let queue = match key {
            Some(key) if !keyed.is_empty() => &keyed[key.index(keyed.len())],
            _ => common,
        };
        let watched = wake::watched(transaction);
        let (outcome, told) =
            queue.run(move |conn| watched(conn).map(|((value, row), told)| ((value, told), row))).await?;
        if told.has_enqueued {
            self.0.enqueued.notify_one();
        }
        for topic in told.topics {
            // Nobody may be listening.
            let _ = self.0.news.send(topic);
        }
        Ok(outcome)
    }

    /// Returns when a transaction of this process has enqueued a job since it returned last.
    pub(crate) async fn enqueued(&self) {
        self.0.enqueued.notified().await;
    }

    /// The topics that transactions of this process [`announce`] from now on. A hint: one whose caller has given up waiting is not
    /// heard of here, and other processes tell nothing.
    pub fn news(&self) -> broadcast::Receiver<i64> {
        self.0.news.subscribe()
    }

    /// Keeps other processes from serving a SQLite file, until the database is closed or the process ends; an error names
    /// the process that serves it already. Several processes may serve a PostgreSQL database.
    pub fn lock_for_serving(&self) -> Result<(), Failure> {
        if let Address::Sqlite(path) = &self.0.address {
            *self.0.lock.lock().unwrap_or_else(PoisonError::into_inner) = Some(ServingLock::take(path)?);
        }
        Ok(())
    }

    /// Whether the database answers, within a second, and its file is the one that was opened.
    pub async fn ping(&self) -> Result<(), Failure> {
        self.0.file.as_ref().map_or(Ok(()), OpenedFile::check)?;
        let one = self.read(|conn| Ok(diesel::select(1.into_sql::<Integer>()).get_result::<i32>(conn)?));
        match tokio::time::timeout(Duration::from_secs(1), one).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(Error::Failed(failure))) => Err(failure),
            Ok(Err(Error::Refused(_))) => Err(Failure::fault("a ping is never refused")),
            // Requests wait longer: that it is slow is no outage.
            Err(_) => {
                let slow = Failure::unavailable("the database did not answer within a second");
                Err(if self.0.outage.is_known() { slow.already_logged() } else { slow })
            }
        }
    }

    /// Measures its work from now on.
    pub fn measure(&self, metrics: &Metrics) {
        self.0.reads.measure(metrics);
        self.0.writes.iter().for_each(|queue| queue.measure(metrics));
    }

    /// Sets the gauges of what waits and of an outage.
    pub fn observe(&self, metrics: &Metrics) {
        let set = |metric, labels: &[_], value: usize| {
            #[expect(clippy::cast_precision_loss, reason = "a gauge is a floating-point number")]
            metrics.gauge(metric, labels).set(value as f64);
        };
        set(&QUEUED, &[("side", "read")], self.0.reads.len());
        set(&QUEUED, &[("side", "write")], self.0.writes.iter().map(Queue::len).sum());
        set(&AWAY, &[], usize::from(self.outage().is_some()));
    }

    /// Its kind and where it is, without a password.
    pub fn place(&self) -> String {
        self.0.address.to_string()
    }

    /// Why the database is not available, if it is known to be so.
    pub fn outage(&self) -> Option<String> {
        self.0.outage.cause()
    }

    /// Brings the schema up to date: the runtime's tables, then the service's. The names of the migrations that ran.
    /// A database that is not of the service is refused and not changed.
    pub async fn migrate(&self) -> Result<Vec<String>, Failure> {
        let (address, identity) = (self.0.address.clone(), self.0.identity.clone());
        blocking(move || migrations::run(&address, &identity)).await
    }

    /// The names of the migrations that the database lacks. Changes nothing; a database that is not of the service is refused.
    pub async fn pending_migrations(&self) -> Result<Vec<String>, Failure> {
        let (address, identity) = (self.0.address.clone(), self.0.identity.clone());
        blocking(move || migrations::pending(&address, &identity)).await
    }

    /// Lets the threads finish what is queued, end, and close their connections; what comes later fails. A thread that
    /// waits for a server that does not answer is left behind. A database that is dropped without it closes as well, but
    /// nobody waits for that.
    pub async fn close(&self) {
        let threads = std::mem::take(&mut *self.0.threads.lock().unwrap_or_else(PoisonError::into_inner));
        let (tell, ended) = oneshot::channel();
        // On a thread of its own: the runtime does not end before those of its pool do.
        let closing = spawn("db-close".to_owned(), move || {
            for (queue, _) in &threads {
                queue.stop();
            }
            let panicked = threads.into_iter().filter_map(|(_, thread)| thread.join().err()).count();
            // Whoever waited has given up.
            let _ = tell.send(panicked);
        });
        match (closing, tokio::time::timeout(CLOSE, ended).await) {
            (Ok(_), Ok(Ok(0))) => {}
            (Ok(_), Ok(Ok(panicked))) => tracing::error!(panicked, "database threads have panicked"),
            (Ok(_), Ok(Err(_)) | Err(_)) => tracing::error!("database threads are stuck, and left behind"),
            (Err(failure), _) => tracing::error!(%failure, "closing the database"),
        }
        self.0.lock.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether [`Db::close`] was called.
    pub fn is_closed(&self) -> bool {
        self.0.writes.iter().any(Queue::is_closed)
    }
}

fn checkpoint(pool: &Pool) {
    if let Err(failure) = pool.get().and_then(|mut conn| Ok(sqlite::checkpoint(&mut conn)?)) {
        tracing::warn!(%failure, "the log of the SQLite database was not copied into its file");
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
