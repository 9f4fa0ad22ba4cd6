//! The column list of a row type.

use diesel::{Connection, Selectable};

use super::conn::Conn;

/// The columns of a `#[derive(Selectable)]` type for `select`, in the order of its fields. Use it where `as_select`
/// does not compile for [`Conn`].
pub fn columns<T: Selectable<<Conn as Connection>::Backend>>() -> T::SelectExpression {
    T::construct_selection()
}
