//! Rows that the commands of a batch append, and that it inserts together before its commit.
//!
//! A log row for each of sixteen commands is then one statement, which saves fifteen round trips to PostgreSQL.

use std::{any::Any, cell::RefCell};

use shared_model::Failure;

use crate::state::db::connection::{conn::Conn, transaction};

/// A row of a table that commands write to and do not read. A refusal may read it: the batch then runs again, and each
/// command inserts its own rows.
pub trait Appended: Sized + 'static {
    /// Inserts rows in the order in which they were appended.
    fn insert(conn: &mut Conn, rows: Vec<Self>) -> Result<(), Failure>;
}

trait Rows: Any {
    fn insert(self: Box<Self>, conn: &mut Conn) -> Result<(), Failure>;
}

impl<R: Appended> Rows for Vec<R> {
    fn insert(self: Box<Self>, conn: &mut Conn) -> Result<(), Failure> {
        R::insert(conn, *self)
    }
}

// Thread-local, for the same reason as notifications.
thread_local! {
    static WAITING: RefCell<Vec<Box<dyn Rows>>> = const { RefCell::new(Vec::new()) };
}

/// Inserts a row before the transaction on this thread commits, together with those of other commands.
pub fn append<R: Appended>(row: R) {
    WAITING.with_borrow_mut(|waiting| {
        let of_type = waiting.iter_mut().find_map(|rows| (&mut **rows as &mut dyn Any).downcast_mut::<Vec<R>>());
        match of_type {
            Some(rows) => rows.push(row),
            None => waiting.push(Box::new(vec![row])),
        }
    });
}

/// Inserts the rows that wait.
pub fn insert_waiting(conn: &mut Conn) -> Result<(), Failure> {
    let waiting = WAITING.take();
    waiting.into_iter().try_for_each(|rows| rows.insert(conn))
}

/// Runs `part` in a savepoint: when it fails, only its own changes are undone. PostgreSQL needs this around a statement
/// that may fail (a unique key) in a transaction that goes on.
pub fn savepoint<T, E: From<Failure> + From<diesel::result::Error>>(
    conn: &mut Conn,
    part: impl FnOnce(&mut Conn) -> Result<T, E>,
) -> Result<T, E> {
    // After a failure, all rows that wait are then rows of `part`.
    insert_waiting(conn)?;
    let done = transaction::savepoint(conn, |conn| {
        let done = part(conn)?;
        insert_waiting(conn)?;
        Ok(done)
    });
    if done.is_err() {
        clear();
    }
    done
}

/// Forgets the rows of a transaction that was rolled back.
pub fn clear() {
    WAITING.with_borrow_mut(Vec::clear);
}
