//! Where the log stands: the one row that changes.

use diesel::prelude::*;
use shared_model::Failure;
use shared_runtime::{Conn, PublicKey, state::db::prepared};

use crate::{
    column::{column, number},
    merkle::{Appended, Frontier, Hash},
    schema::log_head,
};

/// The tree of all entries.
#[derive(Clone, Debug)]
pub struct Head {
    /// Its size and what is needed to append to it.
    pub frontier: Frontier,
    /// Its root.
    pub root: Hash,
}

type Row = (i64, Hash, Vec<u8>);

impl TryFrom<Row> for Head {
    type Error = Failure;

    fn try_from((size, root, frontier): Row) -> Result<Self, Failure> {
        let damaged = |why: String| Failure::fault(format!("the head of the log is damaged: {why}"));
        let frontier = Frontier::from_bytes(number(size)?, &frontier).map_err(|error| damaged(error.to_string()))?;
        if frontier.root() != root {
            return Err(damaged(format!("its frontier has the root {}, and it says {root}", frontier.root())));
        }
        Ok(Self { frontier, root })
    }
}

impl Head {
    /// How many entries there are.
    pub fn size(&self) -> u64 {
        self.frontier.size()
    }
}

/// Waits for its turn to append, and reads where the log stands; the turn lasts until the transaction ends. Must come
/// before anything else is read: so each appender sees all that the one before it did, in whatever process that ran.
///
/// SQLite has one writer. On PostgreSQL it is the lock of the row: `READ COMMITTED` takes a new snapshot for each
/// statement, so that those after this one see what was committed while it waited.
pub fn take_turn(conn: &mut Conn) -> Result<Head, Failure> {
    let row = log_head::table.find(1).select((log_head::size, log_head::root, log_head::frontier));
    let row: Row = match conn {
        Conn::Postgres(conn) => row.for_update().first(conn)?,
        Conn::Sqlite(conn) => row.first(conn)?,
    };
    Head::try_from(row)
}

/// Where the log stands.
pub fn read(conn: &mut Conn) -> Result<Head, Failure> {
    Head::try_from(read_row(conn)?)
}

/// The head as it is stored, whether or not it makes sense.
pub struct StoredHead {
    /// The number of entries.
    pub size: u64,
    /// The root.
    pub root: Hash,
    /// The frontier's bytes.
    pub frontier: Vec<u8>,
}

/// The head as it is stored.
pub fn read_stored(conn: &mut Conn) -> Result<StoredHead, Failure> {
    let (size, root, frontier) = read_row(conn)?;
    Ok(StoredHead { size: number(size)?, root, frontier })
}

fn read_row(conn: &mut Conn) -> Result<Row, Failure> {
    Ok(log_head::table.find(1).select((log_head::size, log_head::root, log_head::frontier)).first(conn)?)
}

/// Stores where the log stands after a batch.
pub fn put(conn: &mut Conn, appended: &Appended) -> Result<(), Failure> {
    let new = (
        log_head::size.eq(column(appended.size())?),
        log_head::root.eq(appended.root()),
        log_head::frontier.eq(appended.frontier().to_bytes()),
    );
    prepared(diesel::update(log_head::table.find(1)).set(new)).execute(conn)?;
    Ok(())
}

/// The public half of the key that signs this log, once it has been kept.
pub fn public_key(conn: &mut Conn) -> Result<Option<PublicKey>, Failure> {
    Ok(log_head::table.find(1).select(log_head::public_key).first(conn)?)
}

/// Keeps the public half of the key that signs this log.
pub fn put_public_key(conn: &mut Conn, key: &PublicKey) -> Result<(), Failure> {
    diesel::update(log_head::table.find(1)).set(log_head::public_key.eq(Some(key))).execute(conn)?;
    Ok(())
}
