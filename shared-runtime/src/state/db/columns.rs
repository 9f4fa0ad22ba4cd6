//! The columns of a row type.

use diesel::{Connection, Selectable};

use super::conn::Conn;

/// The columns of a `#[derive(Selectable)]` type, in the order of its fields, for `select`. In place of `as_select`, which
/// does not compile for [`Conn`].
pub fn columns<T: Selectable<<Conn as Connection>::Backend>>() -> T::SelectExpression {
    T::construct_selection()
}
