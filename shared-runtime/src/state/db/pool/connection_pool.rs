//! The connections of one side. r2d2 opens them in background threads; a database that is down costs its callers no
//! time.

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

use super::outage::Outage;
use crate::state::db::{
    connection::{
        address::Address,
        conn::{Conn, ConnTransactions},
        connection_mode::ConnectionMode,
    },
    schema::database_identity::DatabaseIdentity,
};

pub type Pooled = r2d2::PooledConnection<Manager>;

// The pause between attempts while the database is down. r2d2 pauses for at most half of its connection timeout.
const RETRY_INTERVAL: Duration = Duration::from_millis(250);
// libpq gives up earlier, after its `connect_timeout` of 2 s.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
// r2d2 does not wake a waiting thread when an attempt fails, so the thread polls.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

#[derive(Clone)]
pub struct Pool {
    pool: r2d2::Pool<Manager>,
    outage: Arc<Outage>,
    open: OpenConnections,
}

impl Pool {
    /// At most this many connections, opened on the `background` threads.
    pub fn new(
        address: Address,
        identity: &DatabaseIdentity,
        mode: ConnectionMode,
        connections: usize,
        background: &Arc<ScheduledThreadPool>,
        outage: &Arc<Outage>,
    ) -> Self {
        // A connection to a server goes stale and holds memory there; a file has neither problem.
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
            .connection_timeout(2 * RETRY_INTERVAL)
            // A ping at each checkout would cost a round trip. A broken connection shows at its first use, and the work
            // runs again.
            .test_on_check_out(false)
            .error_handler(Box::new(NopErrorHandler))
            .connection_customizer(Box::new(open.clone()))
            .thread_pool(Arc::clone(background))
            .build_unchecked(Manager {
                address,
                identity: identity.clone(),
                mode,
                outage: Arc::clone(outage),
                open: open.clone(),
            });
        Self { pool, outage: Arc::clone(outage), open }
    }

    /// An idle connection, if there is one.
    pub fn idle(&self) -> Option<Pooled> {
        self.pool.try_get()
    }

    /// An idle connection, or a new one. Fails immediately while no connection can be made.
    pub fn get(&self) -> Result<Pooled, Failure> {
        let begun = Instant::now();
        loop {
            if let Some(conn) = self.idle() {
                return Ok(conn);
            }
            // While others are open, one of them will come back or break.
            if self.open.are_none()
                && let Some(why) = self.outage.connect_error()
            {
                return Err(
                    Failure::unavailable(format!("there is no connection to the database: {why}")).already_logged()
                );
            }
            match self.pool.get_timeout(POLL_INTERVAL) {
                Ok(conn) => return Ok(conn),
                Err(_) if begun.elapsed() < CONNECT_TIMEOUT => {}
                Err(error) => {
                    let failure = Failure::unavailable("connecting to the database").from_source(error);
                    return Err(if self.open.are_none() { self.outage.record_failure(failure) } else { failure });
                }
            }
        }
    }

    pub fn record_failure(&self, failure: Failure) -> Failure {
        self.outage.record_failure(failure)
    }

    /// A new connection. Idle ones are as old as the one that broke, so they are closed.
    pub fn get_new(&self) -> Result<Pooled, Failure> {
        while let Some(conn) = self.idle() {
            discard(conn);
        }
        self.get()
    }
}

/// Closes a connection instead of returning it to the pool. An open transaction is rolled back.
pub fn discard(mut conn: Pooled) {
    *ConnTransactions::transaction_manager_status_mut(&mut *conn) = TransactionManagerStatus::InError;
}

// Counts open connections from r2d2's callbacks.
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

/// Opens connections for r2d2, and reports each attempt to the outage.
pub struct Manager {
    address: Address,
    identity: DatabaseIdentity,
    mode: ConnectionMode,
    outage: Arc<Outage>,
    open: OpenConnections,
}

impl Manager {
    fn open(&self) -> Result<Conn, Failure> {
        let mut conn = self.address.connect(self.mode)?;
        // The secret may have changed while this process had no session. From now on the session's lock prevents that.
        if let Conn::Postgres(_) = conn {
            self.identity.ownership(&mut conn)?;
        }
        Ok(conn)
    }
}

impl ManageConnection for Manager {
    type Connection = Conn;
    type Error = Failure;

    fn connect(&self) -> Result<Conn, Failure> {
        let connected = self.open();
        match &connected {
            // The server may have reached its limit of clients. The open connections work, so this is not an outage.
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
    use crate::state::db::tests::identity;

    fn pool(path: &Path, outage: &Arc<Outage>) -> Pool {
        let background = Arc::new(ScheduledThreadPool::builder().num_threads(1).build());
        Pool::new(Address::Sqlite(path.to_owned()), &identity(), ConnectionMode::Read, 2, &background, outage)
    }

    #[test]
    fn a_failed_connection_attempt_is_an_outage_only_if_no_connection_is_open() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, moved) = (folder.path().join("test.db"), folder.path().join("moved.db"));
        drop(Address::Sqlite(path.clone()).connect(ConnectionMode::Write).expect("a file"));
        let outage = Arc::<Outage>::default();
        let pool = pool(&path, &outage);
        // In one wait: each further one would ask for a further connection.
        let working = pool.pool.get_timeout(CONNECT_TIMEOUT).expect("a connection");

        // The open connection stays usable, and no second one can be opened.
        std::fs::rename(&path, &moved).expect("it can be moved");
        std::fs::create_dir(&path).expect("a folder in its place");
        while !pool.pool.get_timeout(POLL_INTERVAL).err().expect("no second one").to_string().contains("unable to open")
        {
        }
        assert_eq!(outage.cause(), None);
        drop(working);
        drop(pool.get().expect("the one that works"));

        assert!(pool.get_new().err().expect("none is left").is_already_logged());
        assert!(outage.cause().expect("an outage").contains("unable to open"), "{outage:?}");
    }
}
