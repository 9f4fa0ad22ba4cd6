//! Connections come from r2d2, which makes them in the background, discards the broken and renews the old. The variant
//! is chosen by the URL's scheme, and a database that is down costs its callers no time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use diesel::{
    connection::{TransactionManager as _, TransactionManagerStatus},
    r2d2::{self, CustomizeConnection, ManageConnection, NopErrorHandler, R2D2Connection as _},
};
use scheduled_thread_pool::ScheduledThreadPool;
use shared_model::Failure;
use tokio::time::Instant;

use super::{
    address::Address,
    conn::{Conn, ConnTransactions},
    outage::Outage,
    side::Side,
};

/// A connection that goes back to its pool when it is dropped.
pub(super) type Pooled = r2d2::PooledConnection<Manager>;

/// How often a connection is attempted while the database is down: half of r2d2's timeout, by its own rule.
const RETRY: Duration = Duration::from_millis(250);
/// How long a new connection may take. libpq gives up earlier.
const CONNECT: Duration = Duration::from_secs(5);
/// How often whoever waits for a new connection looks whether the attempt has failed: r2d2 does not wake them for that.
const LOOK: Duration = Duration::from_millis(10);

/// The connections of one side of a database. None is made before it is needed.
#[derive(Clone)]
pub(super) struct Pool {
    pool: r2d2::Pool<Manager>,
    outage: Arc<Outage>,
    open: OpenConnections,
}

impl Pool {
    /// A pool of at most this many connections, which `background` makes.
    pub(super) fn new(
        address: Address,
        side: Side,
        connections: usize,
        background: &Arc<ScheduledThreadPool>,
        outage: &Arc<Outage>,
    ) -> Self {
        // A connection to a server goes stale and holds memory there; a file's does neither.
        let (idle, lifetime) = match address {
            Address::Postgres(_) => (Some(Duration::from_secs(10 * 60)), Some(Duration::from_secs(30 * 60))),
            Address::Sqlite(_) => (None, None),
        };
        let open = OpenConnections::default();
        let pool = r2d2::Pool::builder()
            .max_size(u32::try_from(connections).unwrap_or(u32::MAX))
            .min_idle(Some(0))
            .idle_timeout(idle)
            .max_lifetime(lifetime)
            .connection_timeout(2 * RETRY)
            // A connection that broke is noticed when it is used, which costs a healthy one nothing.
            .test_on_check_out(false)
            .error_handler(Box::new(NopErrorHandler))
            .connection_customizer(Box::new(open.clone()))
            .thread_pool(Arc::clone(background))
            .build_unchecked(Manager { address, side, outage: Arc::clone(outage), open: open.clone() });
        Self { pool, outage: Arc::clone(outage), open }
    }

    /// A connection, at once unless it must be made; an error as soon as it is known that none can be made now.
    pub(super) fn get(&self) -> Result<Pooled, Failure> {
        let begun = Instant::now();
        loop {
            if let Some(conn) = self.pool.try_get() {
                return Ok(conn);
            }
            // Others that are open come back, or break.
            if self.open.are_none()
                && let Some(why) = self.outage.no_connection()
            {
                return Err(
                    Failure::unavailable(format!("there is no connection to the database: {why}")).already_logged()
                );
            }
            match self.pool.get_timeout(LOOK) {
                Ok(conn) => return Ok(conn),
                Err(_) if begun.elapsed() < CONNECT => {}
                Err(error) => {
                    let failure = Failure::unavailable("connecting to the database").from_source(error);
                    return Err(if self.open.are_none() { self.outage.trouble(failure) } else { failure });
                }
            }
        }
    }

    /// Notes an error that all others meet as well.
    pub(super) fn trouble(&self, failure: Failure) -> Failure {
        self.outage.trouble(failure)
    }

    /// A connection that is newly made: for whoever had one that broke, since those that idle here are as old.
    pub(super) fn get_new(&self) -> Result<Pooled, Failure> {
        while let Some(conn) = self.pool.try_get() {
            discard(conn);
        }
        self.get()
    }
}

/// Closes a connection instead of returning it to its pool. An open transaction is rolled back.
pub(super) fn discard(mut conn: Pooled) {
    *ConnTransactions::transaction_manager_status_mut(&mut *conn) = TransactionManagerStatus::InError;
}

/// How many connections of one side are open; r2d2 tells.
#[derive(Clone, Debug, Default)]
struct OpenConnections(Arc<AtomicUsize>);

impl OpenConnections {
    fn are_none(&self) -> bool {
        self.0.load(Ordering::Acquire) == 0
    }
}

impl CustomizeConnection<Conn, Failure> for OpenConnections {
    fn on_acquire(&self, _: &mut Conn) -> Result<(), Failure> {
        self.0.fetch_add(1, Ordering::AcqRel);
        Ok(())
    }

    fn on_release(&self, _: Conn) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Tells r2d2 how connections are made, and notes whether that succeeds.
#[derive(Debug)]
pub(super) struct Manager {
    address: Address,
    side: Side,
    outage: Arc<Outage>,
    open: OpenConnections,
}

impl ManageConnection for Manager {
    type Connection = Conn;
    type Error = Failure;

    fn connect(&self) -> Result<Conn, Failure> {
        let connected = self.address.connect(self.side);
        match &connected {
            // One more cannot be made, as when a server has its number of clients, and the others work: no outage.
            Err(failure) if !self.open.are_none() => tracing::debug!(%failure, "no further connection to the database"),
            ended => self.outage.note_attempt(ended.as_ref().err()),
        }
        connected
    }

    fn is_valid(&self, conn: &mut Conn) -> Result<(), Failure> {
        Ok(conn.ping()?)
    }

    fn has_broken(&self, conn: &mut Conn) -> bool {
        std::thread::panicking() || conn.is_broken()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// A pool of the reading side of this file.
    fn pool(path: &Path, outage: &Arc<Outage>) -> Pool {
        let background = Arc::new(ScheduledThreadPool::builder().num_threads(1).build());
        Pool::new(Address::Sqlite(path.to_owned()), Side::Read, 2, &background, outage)
    }

    #[test]
    fn one_more_connection_that_cannot_be_made_is_an_outage_only_when_there_is_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, moved) = (folder.path().join("test.db"), folder.path().join("moved.db"));
        drop(Address::Sqlite(path.clone()).connect(Side::Write).expect("a file"));
        let outage = Arc::<Outage>::default();
        let pool = pool(&path, &outage);
        let working = pool.get().expect("a connection");

        // What is open stays so, and nothing more can be opened.
        std::fs::rename(&path, &moved).expect("it can be moved");
        std::fs::create_dir(&path).expect("a folder in its place");
        while !pool.pool.get_timeout(LOOK).err().expect("no second one").to_string().contains("unable to open") {}
        assert_eq!(outage.cause(), None);
        drop(working);
        drop(pool.get().expect("the one that works"));

        assert!(pool.get_new().err().expect("none is left").is_already_logged());
        assert!(outage.cause().expect("an outage").contains("unable to open"), "{outage:?}");
    }
}
