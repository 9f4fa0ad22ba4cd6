//! Copies the write-ahead log of a SQLite file into the file, in parallel with the writer.
//!
//! SQLite itself copies within the commit that makes the log long. Every write waits for that: 30 ms for 64 MiB on
//! a fast disk, a second on a slow one. Here a thread copies most of it. The writer copies only the last pages. SQLite
//! reuses the log only if all of it is copied while nobody writes.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use crossbeam_channel::{Receiver, Sender, bounded};
use diesel::QueryResult;

use crate::state::db::{
    connection::{
        conn::Conn,
        sqlite::{Checkpoint, LogPages, checkpoint},
    },
    pool::connection_pool::Pool,
};

/// Transactions between two looks at the log: an ordinary one writes ten to twenty pages.
const TRANSACTIONS: u32 = 64;
/// Pages that are copied together. With fewer, pages that change often would be copied often. With more, writes would
/// wait longer for the disk.
const PAGES: i64 = 4_000;
/// The length of the log, in pages, from which it is copied to its end, so that SQLite can reuse it.
const LONG_LOG: i64 = 12_000;
/// The pages that are left to the writer. It copies them in a millisecond.
const LAST_PAGES: i64 = 256;
/// Each pass copies what was written during the pass before, which is less each time.
const MOST_PASSES: usize = 8;

/// The writer's side.
pub struct Checkpoints {
    look: Sender<()>,
    is_nearly_copied: Arc<AtomicBool>,
    transactions: u32,
}

/// The side of the thread that copies.
pub struct Checkpointer {
    looks: Receiver<()>,
    is_nearly_copied: Arc<AtomicBool>,
    conn: Conn,
}

/// Both sides. The connection is for the thread alone.
pub fn checkpoints(conn: Conn) -> (Checkpoints, Checkpointer) {
    // One look that waits is enough.
    let (look, looks) = bounded(1);
    let is_nearly_copied = Arc::<AtomicBool>::default();
    let checkpointer = Checkpointer { looks, is_nearly_copied: Arc::clone(&is_nearly_copied), conn };
    (Checkpoints { look, is_nearly_copied, transactions: 0 }, checkpointer)
}

impl Checkpoints {
    /// Call it after each transaction, with the writer's connections.
    pub fn after_transaction(&mut self, pool: &Pool) {
        if self.is_nearly_copied.swap(false, Ordering::AcqRel)
            && let Err(failure) = pool.get().and_then(|mut conn| Ok(checkpoint(&mut conn, Checkpoint::Passive)?))
        {
            tracing::debug!(%failure, "the last pages of the write-ahead log were not copied");
        }
        self.transactions += 1;
        if self.transactions >= TRANSACTIONS {
            self.transactions = 0;
            // An error means that a look waits already, or that the database is being closed.
            let _ = self.look.try_send(());
        }
    }
}

impl Checkpointer {
    /// Returns when the writer is gone.
    pub fn execute(mut self) {
        while self.looks.recv().is_ok() {
            if let Err(error) = self.copy_some() {
                // SQLite then copies within a commit.
                tracing::debug!(%error, "the write-ahead log was not copied beside the writer");
            }
        }
    }

    fn copy_some(&mut self) -> QueryResult<()> {
        let LogPages { log, checkpointed } = checkpoint(&mut self.conn, Checkpoint::Noop)?;
        if log - checkpointed < PAGES {
            return Ok(());
        }
        for _ in 0..MOST_PASSES {
            let LogPages { log, checkpointed } = checkpoint(&mut self.conn, Checkpoint::Passive)?;
            if log < LONG_LOG {
                break;
            }
            if log - checkpointed <= LAST_PAGES {
                self.is_nearly_copied.store(true, Ordering::Release);
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use diesel::connection::SimpleConnection as _;
    use scheduled_thread_pool::ScheduledThreadPool;

    use super::*;
    use crate::state::db::{
        connection::{address::Address, connection_mode::ConnectionMode, sqlite::connect},
        tests::identity,
    };

    #[test]
    fn a_long_log_is_copied_beside_the_writer_and_reused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let address = Address::Sqlite(path.clone());
        let background = Arc::new(ScheduledThreadPool::new(1));
        let pool = Pool::new(address, &identity(), ConnectionMode::Write, 1, &background, &Arc::default());
        let write = |bytes: usize| {
            let mut conn = pool.get().expect("a connection");
            conn.batch_execute(&format!("INSERT INTO texts VALUES (zeroblob({bytes}))")).expect("written");
        };
        let pages = || checkpoint(&mut pool.get().expect("a connection"), Checkpoint::Noop).expect("pages");
        pool.get().expect("a connection").batch_execute("CREATE TABLE texts (text BLOB)").expect("a table");

        let (mut checkpoints, checkpointer) = checkpoints(connect(&path, ConnectionMode::Write).expect("a connection"));
        let is_nearly_copied = Arc::clone(&checkpoints.is_nearly_copied);
        let copying = thread::spawn(|| checkpointer.execute());
        // Less than the length at which SQLite copies by itself.
        write(50_000_000);
        let LogPages { log, checkpointed } = pages();
        assert!((LONG_LOG..16_000).contains(&log) && checkpointed == 0, "{log} {checkpointed}");
        (0..TRANSACTIONS).for_each(|_| checkpoints.after_transaction(&pool));
        while !is_nearly_copied.load(Ordering::Acquire) {
            thread::yield_now();
        }
        assert_eq!(pages(), LogPages { log, checkpointed: log });
        write(1);
        checkpoints.after_transaction(&pool);
        assert!(pages().log < 10, "{:?}", pages());
        drop(checkpoints);
        copying.join().expect("it ends with the writer");
    }
}
