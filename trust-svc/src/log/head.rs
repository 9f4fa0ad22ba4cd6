//! The head of the log: its size, and the tree in the form that the next batch needs.

use diesel::prelude::*;
use shared_model::Failure;
use shared_runtime::Conn;
use trust_log::merkle::{Frontier, Hash};

use super::store::{self, HeadRow, StoredHead};

/// The end of the log: its tree, in the form that the next batch needs.
#[derive(Clone, Debug)]
pub struct Head {
    pub frontier: Frontier,
    pub root: Hash,
}

impl Head {
    pub fn size(&self) -> u64 {
        self.frontier.size()
    }
}

impl TryFrom<StoredHead> for Head {
    type Error = Failure;

    fn try_from(StoredHead { size, root, frontier }: StoredHead) -> Result<Self, Failure> {
        let damaged = |why: String| Failure::fault(format!("the head of the log is damaged: {why}"));
        let frontier = Frontier::from_bytes(size, &frontier).map_err(|error| damaged(error.to_string()))?;
        // The root follows from the frontier. A mismatch here would be signed in the next checkpoint.
        if frontier.root() != root {
            return Err(damaged(format!("the root of its frontier is {}, but it has {root}", frontier.root())));
        }
        Ok(Self { frontier, root })
    }
}

/// Locks the log until the transaction ends, and reads its head. Call it before every other read of the transaction.
pub fn lock_head(conn: &mut Conn) -> Result<Head, Failure> {
    // SQLite has one writer, so its write transaction is lock enough. PostgreSQL waits for the row lock.
    // `READ COMMITTED` takes a new snapshot for each statement. The reads after this one see what the transaction
    // before us committed while we waited. A read before this statement would see an older log.
    let row: HeadRow = match conn {
        Conn::Postgres(conn) => store::head_row().for_update().first(conn)?,
        Conn::Sqlite(conn) => store::head_row().first(conn)?,
    };
    StoredHead::try_from(row)?.try_into()
}

pub fn read_head(conn: &mut Conn) -> Result<Head, Failure> {
    store::stored_head(conn)?.try_into()
}
