//! SQLite: how a connection is set up, and the one thread that writes.

use std::{
    fs::{DirBuilder, OpenOptions},
    io::ErrorKind,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use crossbeam_channel::Receiver;
use diesel::{
    Connection as _, RunQueryDsl as _, SqliteConnection,
    connection::{AnsiTransactionManager, SimpleConnection as _, TransactionManager as _, TransactionManagerStatus},
};
use shared_model::Failure;

use super::{
    job::{Job, Verdict},
    prepared,
    queue::Order,
};
use crate::state::db::Conn;

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Queries; a statement that writes is an error.
    Read,
    /// Transactions and migrations.
    Write,
}

/// Opens the database; the writing side makes the file, for the owner alone, where there is none.
pub(super) fn connect(path: &Path, side: Side) -> Result<Conn, Failure> {
    if side == Side::Write {
        create(path).map_err(|error| Failure::fault(format!("the file {}", path.display())).from_source(error))?;
    }
    let text = path.to_str().ok_or_else(|| Failure::fault("the path of the SQLite database must be UTF-8"))?;
    let mut conn = SqliteConnection::establish(text)
        .map_err(|error| Failure::unavailable(format!("opening {}", path.display())).from_source(error))?;
    for pragma in COMMON.iter().chain(if side == Side::Read { READ } else { WRITE }) {
        conn.batch_execute(&format!("PRAGMA {pragma}"))?;
    }
    Ok(Conn::Sqlite(conn))
}

/// First of all the patience, which the rest may need.
const COMMON: &[&str] = &["busy_timeout = 5000", "foreign_keys = ON", "temp_store = MEMORY"];
/// The cache holds the inner pages of a table of a million rows; its leaves are the kernel's to keep.
const READ: &[&str] = &["query_only = ON", "cache_size = -8000"];
/// A commit is on the disk before it is answered (`FULL`); the log is copied into the file every 16 MiB.
const WRITE: &[&str] = &[
    "journal_mode = WAL",
    "synchronous = FULL",
    "wal_autocheckpoint = 4000",
    "journal_size_limit = 67108864",
    "cache_size = -8000",
];

fn create(path: &Path) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Transactions that share one commit at most: they share the wait for the disk, and each waits for the others.
const BATCH: usize = 32;

/// The writing thread.
pub(super) struct Writer {
    path: PathBuf,
    conn: Option<Conn>,
}

impl Writer {
    pub(super) fn new(path: PathBuf, conn: Conn) -> Self {
        Self { path, conn: Some(conn) }
    }

    /// Works until it is told to stop or nobody can ask any more, then copies the log into the file.
    pub(super) fn work(mut self, orders: &Receiver<Order>) {
        let mut arrivals = Arrivals { orders, stopped: false };
        while let Some(first) = arrivals.wait() {
            self.commit(first, &mut arrivals);
        }
        if let Some(conn) = &mut self.conn
            && let Err(error) = conn.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)")
        {
            tracing::warn!(%error, "the log of the SQLite database was not copied into its file");
        }
    }

    /// Runs the job, and those that arrive meanwhile, in one transaction, and answers them when it is on the disk.
    fn commit(&mut self, first: Box<dyn Job>, arrivals: &mut Arrivals<'_>) {
        let mut jobs = vec![first];
        match self.attempt(&mut jobs, arrivals) {
            Ok(()) => jobs.into_iter().for_each(|job| job.answer()),
            Err(failure) => {
                // Whatever went wrong went wrong for all of them, and nothing of any is left.
                self.conn = None;
                let what = failure.to_string();
                tracing::warn!(failure = what, jobs = jobs.len(), "a SQLite transaction was lost");
                for mut job in jobs {
                    job.spoil(Failure::unavailable(what.clone()));
                    job.answer();
                }
            }
        }
    }

    /// Each job has a savepoint of its own.
    fn attempt(&mut self, jobs: &mut Vec<Box<dyn Job>>, arrivals: &mut Arrivals<'_>) -> Result<(), Failure> {
        let conn = match self.conn.take() {
            Some(conn) => conn,
            None => connect(&self.path, Side::Write)?,
        };
        let conn = self.conn.insert(conn);
        begin(conn)?;
        let mut at = 0;
        while let Some(job) = jobs.get_mut(at) {
            run(conn, "SAVEPOINT unit")?;
            match job.run(conn) {
                Verdict::Done => run(conn, "RELEASE unit")?,
                verdict => {
                    // Nobody else writes: there is no race that another try could win.
                    if matches!(verdict, Verdict::Conflict { .. }) {
                        job.give_up();
                    }
                    undo_nested(conn)?;
                    // Fails when SQLite has undone the whole transaction (a full disk): then all of it is lost.
                    conn.batch_execute("ROLLBACK TO unit; RELEASE unit")?;
                }
            }
            at += 1;
            if at < BATCH {
                jobs.extend(arrivals.now());
            }
        }
        Ok(<Conn as diesel::Connection>::TransactionManager::commit_transaction(conn)?)
    }
}

/// What comes in. Whoever is answered after a commit asks again while the next batch runs, and so joins it.
struct Arrivals<'o> {
    orders: &'o Receiver<Order>,
    stopped: bool,
}

impl Arrivals<'_> {
    /// The next job; `None` when it is time to stop or nobody can ask any more.
    fn wait(&mut self) -> Option<Box<dyn Job>> {
        while !self.stopped {
            let order = self.orders.recv().ok()?;
            if let Some(job) = self.claim(order) {
                return Some(job);
            }
        }
        None
    }

    /// The next job if it is there already.
    fn now(&mut self) -> Option<Box<dyn Job>> {
        while !self.stopped {
            let order = self.orders.try_recv().ok()?;
            if let Some(job) = self.claim(order) {
                return Some(job);
            }
        }
        None
    }

    fn claim(&mut self, order: Order) -> Option<Box<dyn Job>> {
        match order {
            Order::Read(job) | Order::Write(job) => job.claim().then_some(job),
            Order::Stop => {
                self.stopped = true;
                None
            }
        }
    }
}

/// Runs a statement that every transaction needs.
fn run(conn: &mut Conn, sql: &str) -> Result<(), Failure> {
    prepared(diesel::sql_query(sql)).execute(conn)?;
    Ok(())
}

/// Begins a transaction that may write from the start: it waits for other processes here and nowhere else.
fn begin(conn: &mut Conn) -> Result<(), Failure> {
    let Conn::Sqlite(conn) = conn else { return Err(Failure::fault("the writing thread is for SQLite")) };
    Ok(AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN IMMEDIATE")?)
}

/// Leaves the savepoints that a panicking transaction left open.
fn undo_nested(conn: &mut Conn) -> Result<(), Failure> {
    type Manager = <Conn as diesel::Connection>::TransactionManager;
    loop {
        let depth = match Manager::transaction_manager_status_mut(conn) {
            TransactionManagerStatus::Valid(status) => status.transaction_depth().map_or(0, std::num::NonZero::get),
            TransactionManagerStatus::InError => return Err(Failure::unavailable("the transaction is broken")),
        };
        if depth <= 1 {
            return Ok(());
        }
        Manager::rollback_transaction(conn)?;
    }
}
