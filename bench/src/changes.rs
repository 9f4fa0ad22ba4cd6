//! Writes changes of workspace 1 directly to the database.

use std::time::Duration;

use anyhow::{Result, bail};
use diesel::{Connection as _, PgConnection, QueryResult, SqliteConnection, connection::SimpleConnection as _};
use shared_runtime::Conn;

/// Connects to a database of the cloud service.
pub fn connect(database: &str) -> Result<Conn> {
    Ok(match database.strip_prefix("sqlite:") {
        Some(path) => {
            let mut conn = SqliteConnection::establish(path)?;
            conn.batch_execute("PRAGMA busy_timeout = 60000")?;
            Conn::Sqlite(conn)
        }
        None => {
            let mut conn = PgConnection::establish(database)?;
            // Compiling these short statements would take longer than running them.
            conn.batch_execute("SET jit = off")?;
            Conn::Postgres(conn)
        }
    })
}

/// Runs SQL statements.
pub fn execute(conn: &mut Conn, sql: &str) -> QueryResult<()> {
    match conn {
        Conn::Sqlite(conn) => conn.batch_execute(sql),
        Conn::Postgres(conn) => conn.batch_execute(sql),
    }
}

/// Updates the first file `count` times in one transaction. Writes changes only, no versions.
pub fn insert(conn: &mut Conn, count: u64) -> Result<()> {
    // One statement: 100 000 single inserts would take minutes.
    let rows = format!(
        "BEGIN; WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < {count}) \
         INSERT INTO changes (workspace_id, sequence, type, at, actor, file_id) \
         SELECT 1, newest.sequence + numbers.number, 'file.updated', newest.at, newest.actor, file.file_id FROM numbers, \
         (SELECT sequence, at, actor FROM changes WHERE workspace_id = 1 ORDER BY sequence DESC LIMIT 1) newest, \
         (SELECT file_id FROM changes WHERE workspace_id = 1 AND file_id IS NOT NULL ORDER BY sequence LIMIT 1) file; \
         UPDATE workspaces SET change_sequence = change_sequence + {count} WHERE id = 1; COMMIT; ANALYZE changes"
    );
    Ok(execute(conn, &rows)?)
}

/// Updates the first file in a transaction that stays open this long.
pub fn insert_slowly(database: &str, length: Duration) -> Result<()> {
    let Conn::Postgres(mut conn) = connect(database)? else { bail!("SQLite allows only one write transaction") };
    conn.batch_execute(&format!(
        "BEGIN; UPDATE workspaces SET change_sequence = change_sequence + 1 WHERE id = 1; \
         INSERT INTO changes (workspace_id, sequence, type, at, actor, file_id) \
         SELECT 1, workspaces.change_sequence, 'file.updated', oldest.at, oldest.actor, oldest.file_id FROM workspaces, \
         (SELECT at, actor, file_id FROM changes WHERE workspace_id = 1 ORDER BY sequence LIMIT 1) oldest \
         WHERE workspaces.id = 1; SELECT pg_sleep({}); COMMIT",
        length.as_secs_f64()
    ))?;
    Ok(())
}
