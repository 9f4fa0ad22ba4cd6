//! A closure with its value, as one type.
//!
//! The queue, the executors and the batches are compiled once, not for each query of a service. That was a tenth of
//! the code of a build.

use std::any::Any;

use shared_model::{Error, Failure};

use super::idempotency_record::IdempotencyRecord;
use crate::state::db::Conn;

/// The value for the caller, and the idempotency record to insert with the effects.
type Output<T> = (T, Option<IdempotencyRecord>);

/// A closure that may run more than once. It keeps the value of its last run.
pub trait Closure: Any + Send {
    /// Whether it is the transaction of a command. Before any other closure, the rows that its batch has appended are
    /// inserted, because it may read them.
    fn is_command(&self) -> bool;

    fn run(&mut self, conn: &mut Conn) -> Result<Option<IdempotencyRecord>, Error>;
}

struct WithValue<T, F> {
    is_command: bool,
    run: F,
    value: Option<T>,
}

impl<T, F> Closure for WithValue<T, F>
where
    T: Send + 'static,
    F: Fn(&mut Conn) -> Result<Output<T>, Error> + Send + 'static,
{
    fn is_command(&self) -> bool {
        self.is_command
    }

    fn run(&mut self, conn: &mut Conn) -> Result<Option<IdempotencyRecord>, Error> {
        self.value = None;
        let (value, record) = (self.run)(conn)?;
        self.value = Some(value);
        Ok(record)
    }
}

/// Takes the value out of a closure that has run successfully.
pub type TakeValue<T> = fn(Box<dyn Closure>) -> Result<T, Failure>;

/// A closure without its type, and the function that takes its value out.
pub type Erased<T> = (Box<dyn Closure>, TakeValue<T>);

/// A query, or a transaction that may read what commands append.
pub fn erased<T, F>(run: F) -> Erased<T>
where
    T: Send + 'static,
    F: Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
{
    with_value(false, move |conn| Ok((run(conn)?, None)))
}

/// The transaction of a command.
pub fn command<T, F>(run: F) -> Erased<T>
where
    T: Send + 'static,
    F: Fn(&mut Conn) -> Result<(T, IdempotencyRecord), Error> + Send + 'static,
{
    with_value(true, move |conn| run(conn).map(|(value, record)| (value, Some(record))))
}

fn with_value<T, F>(is_command: bool, run: F) -> Erased<T>
where
    T: Send + 'static,
    F: Fn(&mut Conn) -> Result<Output<T>, Error> + Send + 'static,
{
    (Box::new(WithValue { is_command, run, value: None }), take::<T, F>)
}

fn take<T: Send + 'static, F: Send + 'static>(closure: Box<dyn Closure>) -> Result<T, Failure> {
    let ran = (closure as Box<dyn Any>).downcast::<WithValue<T, F>>();
    ran.ok().and_then(|ran| ran.value).ok_or_else(|| Failure::fault("a closure has no value"))
}
