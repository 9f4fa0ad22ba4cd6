//! The read side and the write side of one database.

use std::{
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::Duration,
};

use diesel::{IntoSql as _, RunQueryDsl as _, sql_types::Integer};
use scheduled_thread_pool::ScheduledThreadPool;
use shared_model::{Error, Failure};
use tokio::sync::{Notify, broadcast, oneshot};

use super::{
    connection::{
        address::Address,
        conn::Conn,
        connection_mode::ConnectionMode,
        serving_lock::ServingLock,
        sqlite::{self, Checkpoint},
        sqlite_file::OpenedFile,
        transaction,
    },
    executors::{
        checkpointer::checkpoints,
        lane::{Lane, LaneKey},
        look_ups::LookUps,
        reader,
        writer::Writer,
    },
    pool::{
        connection_pool::{Pool, Pooled},
        outage::Outage,
        side_state::{self, SideState},
    },
    schema::{
        database_identity::{self, DatabaseIdentity},
        migrations,
    },
    work::{
        closure::{self, Closure, Erased},
        idempotency_record::IdempotencyRecord,
        queue::{Patience, Queue},
        queued_work::Done,
    },
};
use crate::base::metrics::{Metric, Metrics};

/// One database: queries run on its read side, transactions on its write side.
#[derive(Clone)]
pub struct Db(pub(super) Arc<Inner>);

pub(super) struct Inner {
    address: Address,
    identity: DatabaseIdentity,
    file: Option<OpenedFile>,
    lock: Mutex<Option<ServingLock>>,
    outage: Arc<Outage>,
    pub(super) reads: Queue,
    /// For [`Db::look_up`]; `None` on PostgreSQL.
    look_ups: Option<LookUps>,
    // The first queue takes writes without a key. On SQLite it is the only one and takes all writes.
    writes: Vec<Queue>,
    threads: Mutex<Vec<(Queue, JoinHandle<()>)>>,
    /// Notified after a transaction that enqueued a job is committed.
    enqueued: Notify,
    announcements: broadcast::Sender<i64>,
}

const QUEUED: Metric = Metric::gauge(
    "database_queued",
    &["side"],
    "Work that waits for a database thread (side: read, write). It grows when the database does not keep up.",
);
const AWAY: Metric = Metric::gauge(
    "database_away",
    &[],
    "1 while the database is not available. Requests that need it are answered with 503.",
);

pub const METRICS: [&Metric; 5] = [&AWAY, &QUEUED, &side_state::WAIT, &side_state::REFUSED, &side_state::WORK];

/// Reads that may wait for each reader thread; more are refused.
pub(super) const MAX_QUEUED_READS: usize = 128;
const MAX_QUEUED_WRITES: usize = 1024;
// A listener that falls further behind misses announcements; it then reads everything again.
const ANNOUNCEMENT_CAPACITY: usize = 1024;
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
const CONNECT_THREADS: usize = 2;

impl Db {
    /// Opens `sqlite:PATH`, `postgres://…` or `postgresql://…` with this many connections for reads. PostgreSQL gets
    /// five more for writes, SQLite one. A missing SQLite file is created; a file of another service is refused. A PostgreSQL
    /// server may be down: [`Db::migrate`] checks later who owns the database.
    pub async fn open(url: &str, connections: usize, identity: DatabaseIdentity) -> Result<Self, Failure> {
        let address = Address::parse(url)?;
        blocking(move || Self::start(address, connections.max(1), identity)).await
    }

    /// Checks, without a secret and without a server, that the service of this name can use this URL. Creates nothing.
    pub fn check_url(url: &str, service: &'static str) -> Result<(), Failure> {
        let address = Address::parse(url)?;
        match &address {
            Address::Sqlite(_) => match address.inspect()? {
                Some(mut conn) => database_identity::check_owner(&mut conn, service),
                None => Ok(()),
            },
            Address::Postgres(_) => Ok(()),
        }
    }

    fn start(address: Address, connections: usize, identity: DatabaseIdentity) -> Result<Self, Failure> {
        let background =
            ScheduledThreadPool::builder().num_threads(CONNECT_THREADS).thread_name_pattern("db-connect-{}").build();
        let background = Arc::new(background);
        let outage = Arc::<Outage>::default();
        let (of_reads, of_writes) = (SideState::new("read", &outage), SideState::new("write", &outage));
        let mut threads = Vec::new();
        let mut writes = Vec::new();
        let mut lanes = vec![Lane::exclusive()];
        if let Address::Postgres(_) = &address {
            lanes.extend(Lane::keyed());
        }
        let pool = Pool::new(address.clone(), &identity, ConnectionMode::Write, lanes.len(), &background, &outage);
        let (mut file, mut copier) = (None, None);
        if let Address::Sqlite(path) = &address {
            // Check the owner first: opening a file for writing may already change its journal.
            if let Some(mut conn) = address.inspect()? {
                identity.ownership(&mut conn)?;
            }
            // Creates the file now, so that a wrong path or a full disk fails the start and not the first request. The
            // pool would log an outage, too.
            copier = Some(sqlite::connect(path, ConnectionMode::Write)?);
            drop(pool.get()?);
            file = Some(OpenedFile::at(path)?);
        }
        for (number, lane) in lanes.into_iter().enumerate() {
            let (queue, receiver) = Queue::bounded(MAX_QUEUED_WRITES, of_writes.clone());
            let pool = pool.clone();
            let (checkpoints, copying) = match copier.take() {
                Some(conn) => {
                    let (checkpoints, checkpointer) = checkpoints(conn);
                    (Some(checkpoints), Some(spawn("db-checkpoint".to_owned(), || checkpointer.execute())?))
                }
                None => (None, None),
            };
            let thread = spawn(format!("db-write-{number}"), move || {
                // It is dropped at the end of the line, and then the other thread ends too.
                Writer::new(pool.clone(), lane, checkpoints).execute(receiver);
                if let Some(copying) = copying {
                    if copying.join().is_err() {
                        tracing::error!("the thread that copies the write-ahead log panicked");
                    }
                    truncate_log(&pool);
                }
            })?;
            threads.push((queue.clone(), thread));
            writes.push(queue);
        }
        let pool = Pool::new(address.clone(), &identity, ConnectionMode::Read, connections, &background, &outage);
        let look_ups = matches!(address, Address::Sqlite(_)).then(|| LookUps::new(pool.clone(), of_reads.clone()));
        let (reads, receiver) = Queue::bounded(connections * MAX_QUEUED_READS, of_reads);
        for number in 0..connections {
            let (pool, receiver) = (pool.clone(), receiver.clone());
            let thread = spawn(format!("db-read-{number}"), move || reader::execute(&pool, receiver))?;
            threads.push((reads.clone(), thread));
        }
        Ok(Self(Arc::new(Inner {
            address,
            identity,
            file,
            lock: Mutex::default(),
            outage,
            reads,
            look_ups,
            writes,
            threads: Mutex::new(threads),
            enqueued: Notify::new(),
            announcements: broadcast::Sender::new(ANNOUNCEMENT_CAPACITY),
        })))
    }

    /// Runs a query on the read side. It cannot write, and it sees only committed rows. It runs a second time when its
    /// connection breaks.
    pub async fn read<T: Send + 'static>(
        &self,
        query: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (closure, value) = closure::erased(query);
        Ok(value(self.0.reads.run(closure, Patience::Usual).await?.closure)?)
    }

    /// Like [`Self::read`], but all statements see the same rows, whatever others commit meanwhile. It costs two more round
    /// trips to PostgreSQL.
    pub async fn read_snapshot<T: Send + 'static>(
        &self,
        query: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.read(move |conn| transaction::snapshot(conn, &query)).await
    }

    /// Like [`Self::read`], for a few rows that are found by their keys. On SQLite it runs on the caller's thread: that
    /// takes less time than the way to a reader thread and back.
    pub async fn look_up<T: Send + 'static>(
        &self,
        query: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let found = self.0.look_ups.as_ref().filter(|_| !self.is_closed()).and_then(|here| here.run(&query));
        match found {
            Some(found) => found,
            None => self.read(query).await,
        }
    }

    /// Runs a transaction while no other transaction writes, in any process. The closure may run more than once. A refusal, a
    /// failure or a panic rolls it back. When this returns, the commit is on disk.
    pub async fn write<T: Send + 'static>(
        &self,
        transaction: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.run(None, closure::erased(transaction), Patience::Usual).await
    }

    /// Like [`Self::write`], for an operator who waits as long as the transaction takes. PostgreSQL still ends a statement
    /// of eight seconds.
    pub(crate) async fn write_long<T: Send + 'static>(
        &self,
        transaction: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.run(None, closure::erased(transaction), Patience::Endless).await
    }

    /// Runs a transaction while no other transaction of this key writes, in any process; other keys may write at the same
    /// time. So it may read and change only rows of its key, and read rows that only transactions without a key change.
    /// The queue of jobs is the exception; `jobs/worker.rs` says why.
    pub async fn write_in<T: Send + 'static>(
        &self,
        key: LaneKey,
        transaction: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.run(Some(key), closure::erased(transaction), Patience::Usual).await
    }

    /// Like [`Self::write_in`], for a command: also inserts its idempotency record. Fails when the key has a record already.
    /// A command does not see the rows that it or others of its batch have [appended](super::append).
    pub(crate) async fn write_command<T: Send + 'static>(
        &self,
        key: LaneKey,
        transaction: impl Fn(&mut Conn) -> Result<(T, IdempotencyRecord), Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.run(Some(key), closure::command(transaction), Patience::Usual).await
    }

    async fn run<T: Send + 'static>(
        &self,
        key: Option<LaneKey>,
        (closure, value): Erased<T>,
        patience: Patience,
    ) -> Result<T, Error> {
        Ok(value(self.commit(key, closure, patience).await?)?)
    }

    async fn commit(
        &self,
        key: Option<LaneKey>,
        closure: Box<dyn Closure>,
        patience: Patience,
    ) -> Result<Box<dyn Closure>, Error> {
        let (common, keyed) = self.0.writes.split_first().ok_or_else(|| Failure::fault("no lane for writes"))?;
        let queue = match key {
            Some(key) if !keyed.is_empty() => &keyed[key.index(keyed.len())],
            _ => common,
        };
        let Done { closure, sent } = queue.run(closure, patience).await?;
        // Only now: a listener that wakes before the commit would find nothing new and sleep again.
        if sent.has_enqueued {
            self.0.enqueued.notify_one();
        }
        for topic in sent.topics {
            // An error means that nobody listens.
            let _ = self.0.announcements.send(topic);
        }
        Ok(closure)
    }

    /// Returns after a transaction of this process has enqueued a job since the last call.
    pub(crate) async fn enqueued(&self) {
        self.0.enqueued.notified().await;
    }

    /// The topics that transactions of this process [announce](super::announce) from now on. This is a hint only: it misses
    /// commits of other processes, and commits whose caller stopped waiting.
    pub fn announcements(&self) -> broadcast::Receiver<i64> {
        self.0.announcements.subscribe()
    }

    /// Locks a SQLite file, so that no other process serves it until this database is closed or the process ends. The error
    /// names the process that has the lock. Does nothing on PostgreSQL, which several processes may serve: each
    /// session there prevents a change of the secret.
    pub fn lock_for_serving(&self) -> Result<(), Failure> {
        if let Address::Sqlite(path) = &self.0.address {
            *self.0.lock.lock().unwrap_or_else(PoisonError::into_inner) = Some(ServingLock::take(path)?);
        }
        Ok(())
    }

    /// Checks that the database answers this query or others within a second. Its file must still be the one that was
    /// opened.
    pub async fn ping(&self) -> Result<(), Failure> {
        self.0.file.as_ref().map_or(Ok(()), OpenedFile::check)?;
        let answers = self.0.reads.answers();
        let mut second = pin!(tokio::time::sleep(Duration::from_secs(1)));
        let one = self.read(|conn| Ok(diesel::select(1.into_sql::<Integer>()).get_result::<i32>(conn)?));
        let outcome = tokio::select! {
            biased;
            outcome = one => Some(outcome),
            () = &mut second => None,
        };
        let failure = match outcome {
            Some(Ok(_)) => return Ok(()),
            // The queue is full: the database was not asked.
            Some(Err(Error::Failed(full))) if full.is_already_logged() && !self.0.outage.is_ongoing() => {
                second.await;
                full
            }
            Some(Err(Error::Failed(failure))) => return Err(failure),
            Some(Err(Error::Refused(_))) => return Err(Failure::fault("a ping is never refused")),
            // Not an outage: requests wait longer than this ping does.
            None => {
                let slow = Failure::unavailable("the database did not answer within a second");
                if self.0.outage.is_ongoing() { slow.already_logged() } else { slow }
            }
        };
        // Other reads were answered: there is too much work, and another replica would fail under it, too.
        if self.0.reads.answers() == answers { Err(failure) } else { Ok(()) }
    }

    pub fn measure(&self, metrics: &Metrics) {
        self.0.reads.measure(metrics);
        self.0.writes.iter().for_each(|queue| queue.measure(metrics));
    }

    pub fn observe(&self, metrics: &Metrics) {
        let set = |metric, labels: &[_], value: usize| {
            #[expect(clippy::cast_precision_loss, reason = "a gauge is a floating-point number")]
            metrics.gauge(metric, labels).set(value as f64);
        };
        set(&QUEUED, &[("side", "read")], self.0.reads.len());
        set(&QUEUED, &[("side", "write")], self.0.writes.iter().map(Queue::len).sum());
        set(&AWAY, &[], usize::from(self.outage().is_some()));
    }

    pub fn location(&self) -> String {
        self.0.address.to_string()
    }

    pub fn outage(&self) -> Option<String> {
        self.0.outage.cause()
    }

    /// Runs the missing migrations of the runtime and of the service; returns their names. A database of another service is
    /// refused and not changed.
    pub async fn migrate(&self) -> Result<Vec<String>, Failure> {
        let (address, identity) = (self.0.address.clone(), self.0.identity.clone());
        blocking(move || migrations::run(&address, &identity)).await
    }

    /// The names of the missing migrations. Changes nothing; a database of another service is refused.
    pub async fn pending_migrations(&self) -> Result<Vec<String>, Failure> {
        let (address, identity) = (self.0.address.clone(), self.0.identity.clone());
        blocking(move || migrations::pending(&address, &identity)).await
    }

    /// Waits until the threads have finished the queued work and closed their connections; later work fails. A thread that
    /// waits for a silent server is abandoned. A dropped database closes as well, but nothing waits for that.
    pub async fn close(&self) {
        let threads = std::mem::take(&mut *self.0.threads.lock().unwrap_or_else(PoisonError::into_inner));
        let (report, ended) = oneshot::channel();
        // Not `spawn_blocking`: tokio's runtime would wait at its end for a thread that is stuck.
        let closing = spawn("db-close".to_owned(), move || {
            for (queue, _) in &threads {
                queue.stop();
            }
            let panicked = threads.into_iter().filter_map(|(_, thread)| thread.join().err()).count();
            // An error means that the timeout below has passed.
            let _ = report.send(panicked);
        });
        match (closing, tokio::time::timeout(CLOSE_TIMEOUT, ended).await) {
            (Ok(_), Ok(Ok(0))) => {}
            (Ok(_), Ok(Ok(panicked))) => tracing::error!(panicked, "database threads panicked"),
            (Ok(_), Ok(Err(_)) | Err(_)) => tracing::error!("database threads are stuck; they were abandoned"),
            (Err(failure), _) => tracing::error!(%failure, "closing the database"),
        }
        self.0.lock.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    pub fn is_closed(&self) -> bool {
        self.0.writes.iter().any(Queue::is_closed)
    }
}

fn truncate_log(pool: &Pool) {
    let truncate = |mut conn: Pooled| Ok(sqlite::checkpoint(&mut conn, Checkpoint::Truncate)?);
    if let Err(failure) = pool.get().and_then(truncate) {
        tracing::warn!(%failure, "the write-ahead log of the SQLite database was not copied into its file");
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
