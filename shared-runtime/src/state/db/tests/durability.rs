//! What makes an answered commit survive a power failure.

use diesel::{RunQueryDsl as _, sql_query, sql_types::Text};
use shared_model::Error;

use super::fresh::Fresh;
use crate::{on_each, state::db::Conn};

#[derive(diesel::QueryableByName)]
struct Setting {
    #[diesel(sql_type = Text)]
    value: String,
}

const ON_SQLITE: &[&str] = &[
    "SELECT journal_mode AS value FROM pragma_journal_mode",
    "SELECT CAST(synchronous AS TEXT) AS value FROM pragma_synchronous",
];
const ON_POSTGRES: &[&str] = &["SELECT current_setting('synchronous_commit') AS value"];

fn setting(conn: &mut Conn, sql: &str) -> Result<String, Error> {
    let Setting { value } = on_each!(conn, |c| sql_query(sql).get_result(c))?;
    Ok(value)
}

// The server of a test run has `fsync = off`, which is the server's matter and not the connection's.
#[tokio::test]
async fn the_connection_that_writes_waits_for_the_disk() {
    let fresh = Fresh::new(1).await;
    let is_sqlite = fresh.url.starts_with("sqlite:");
    let questions = if is_sqlite { ON_SQLITE } else { ON_POSTGRES };
    let ask = move |conn: &mut Conn| questions.iter().map(|sql| setting(conn, sql)).collect::<Result<Vec<_>, _>>();
    let settings = fresh.db.write(ask).await.expect("settings");
    // 2 is FULL.
    let expected = if is_sqlite { vec!["wal", "2"] } else { vec!["on"] };
    assert_eq!(settings, expected);
}
