//! A database for one test alone: a SQLite file, or a PostgreSQL database that is dropped afterwards.

use std::{cell::RefCell, path::Path};

use diesel::{Connection as _, PgConnection, RunQueryDsl as _, SqliteConnection, connection::SimpleConnection as _};

use crate::servers::Servers;

/// A database that exists as long as this value.
pub struct Database {
    /// What the service is given.
    pub url: String,
    dropped_by: Option<Admin>,
    /// The connection that holds the file's write lock.
    locked_by: RefCell<Option<SqliteConnection>>,
}

struct Admin {
    url: String,
    name: String,
}

impl Database {
    /// A fresh one. It is empty: the service migrates it when it starts.
    pub fn fresh(servers: Option<&Servers>, folder: &Path) -> Self {
        let Some(servers) = servers else {
            let url = format!("sqlite:{}", folder.join("stage.sqlite").display());
            return Self { url, dropped_by: None, locked_by: RefCell::default() };
        };
        let name = format!("stage_{:032x}", rand::random::<u128>());
        let (cluster, rest) = match servers.postgres.split_once("://") {
            Some((scheme, rest)) => (scheme, rest),
            None => panic!("TEST_POSTGRES_URL is not a URL"),
        };
        let (host, path) = rest.split_once('/').expect("TEST_POSTGRES_URL names a database");
        let query = path.split_once('?').map_or(String::new(), |(_, query)| format!("?{query}"));
        let url = format!("{cluster}://{host}/{name}{query}");
        let admin = Admin { url: servers.postgres.clone(), name };
        admin.execute("CREATE DATABASE");
        Self { url, dropped_by: Some(admin), locked_by: RefCell::default() }
    }

    /// Runs a statement.
    pub fn execute(&self, sql: &str) {
        match self.url.strip_prefix("sqlite:") {
            Some(path) => SqliteConnection::establish(path).expect("the database file opens").batch_execute(sql),
            None => PgConnection::establish(&self.url).expect("PostgreSQL answers").batch_execute(sql),
        }
        .expect("the statement is good");
    }

    /// A server closes all connections and accepts none; a file is locked by a connection that writes until [`Self::reconnect`].
    pub(crate) fn disconnect(&self) {
        let Some(admin) = &self.dropped_by else {
            let path = self.url.strip_prefix("sqlite:").expect("a file");
            let mut connection = SqliteConnection::establish(path).expect("the database file opens");
            connection.batch_execute("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE").expect("SQLite lets one write");
            *self.locked_by.borrow_mut() = Some(connection);
            return;
        };
        admin.run(&format!("ALTER DATABASE {} ALLOW_CONNECTIONS false", admin.name));
        let inside = format!("FROM pg_stat_activity WHERE datname = '{}'", admin.name);
        admin.run(&format!("SELECT pg_terminate_backend(pid, 5000) {inside}"));
    }

    /// Accepts connections and writes again.
    pub(crate) fn reconnect(&self) {
        match &self.dropped_by {
            Some(admin) => admin.run(&format!("ALTER DATABASE {} ALLOW_CONNECTIONS true", admin.name)),
            None => *self.locked_by.borrow_mut() = None,
        }
    }
}

/// Rows of a table.
pub(crate) fn count(url: &str, table: &str) -> i64 {
    numbers(url, &format!("SELECT count(*) AS number FROM {table}"))[0]
}

/// The ids of the rows of a table.
pub(crate) fn ids(url: &str, table: &str) -> Vec<i64> {
    numbers(url, &format!("SELECT id AS number FROM {table}"))
}

fn numbers(url: &str, query: &str) -> Vec<i64> {
    #[derive(diesel::QueryableByName)]
    struct Row {
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        number: i64,
    }
    let query = diesel::sql_query(query);
    let rows: Vec<Row> = match url.strip_prefix("sqlite:") {
        Some(path) => {
            let mut connection = SqliteConnection::establish(path).expect("the database file opens");
            connection.batch_execute("PRAGMA busy_timeout = 5000").expect("SQLite waits");
            query.get_results(&mut connection)
        }
        None => query.get_results(&mut PgConnection::establish(url).expect("PostgreSQL answers")),
    }
    .expect("there is such a table");
    rows.into_iter().map(|row| row.number).collect()
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(admin) = &self.dropped_by {
            admin.execute("DROP DATABASE");
        }
    }
}

impl Admin {
    fn execute(&self, what: &str) {
        let force = if what.starts_with("DROP") { " WITH (FORCE)" } else { "" };
        self.run(&format!("{what} {}{force}", self.name));
    }

    fn run(&self, sql: &str) {
        let mut connection = PgConnection::establish(&self.url).expect("PostgreSQL answers at TEST_POSTGRES_URL");
        connection.batch_execute(sql).expect("a superuser may do this");
    }
}
