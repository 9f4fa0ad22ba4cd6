//! Many numbers in one parameter, so that the text of a statement is always the same and is prepared once.

use shared_runtime::Conn;

/// Rows of a statement that has each value as a parameter of its own. SQLite takes 32 766 parameters, and a note can
/// have tens of thousands of links.
pub const ROWS_TOGETHER: usize = 1000;

/// SQL for a table `numbers` with a column `value` that has all numbers of a parameter.
pub fn table(conn: &Conn, parameter: &str) -> String {
    match conn {
        Conn::Sqlite(_) => format!("(SELECT value FROM json_each({parameter})) AS numbers"),
        Conn::Postgres(_) => format!("unnest(CAST({parameter} AS BIGINT[])) AS numbers (value)"),
    }
}

/// SQL for the condition that a parameter has the number of a column: what stands before and after the parameter.
pub fn condition(conn: &Conn, column: &str) -> (String, &'static str) {
    match conn {
        Conn::Sqlite(_) => (format!("{column} IN (SELECT value FROM json_each("), "))"),
        Conn::Postgres(_) => (format!("{column} = ANY(CAST("), " AS BIGINT[]))"),
    }
}

/// SQL for the place of a column's number in the parameter, from 0. The column is named with its table.
pub fn position(conn: &Conn, parameter: &str, column: &str) -> String {
    match conn {
        Conn::Sqlite(_) => format!("(SELECT key FROM json_each({parameter}) WHERE value = {column})"),
        Conn::Postgres(_) => format!("(array_position(CAST({parameter} AS BIGINT[]), {column}) - 1)"),
    }
}

/// The value of such a parameter.
pub fn parameter(conn: &Conn, numbers: impl IntoIterator<Item = i64>) -> String {
    let listed = numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    match conn {
        Conn::Sqlite(_) => format!("[{listed}]"),
        Conn::Postgres(_) => format!("{{{listed}}}"),
    }
}
