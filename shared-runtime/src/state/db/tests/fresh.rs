//! A database for one test.

use diesel::{Connection as _, PgConnection, RunQueryDsl as _, connection::SimpleConnection as _};
use tempfile::TempDir;

use crate::{
    on_each,
    state::db::{Conn, Db, connection::address::Address, connection::connection_mode::ConnectionMode, tests::identity},
};

/// A migrated database with a table of counters. Dropping it removes it.
pub(crate) struct Fresh {
    pub(crate) db: Db,
    pub(crate) url: String,
    /// The folder of the SQLite file.
    pub(crate) folder: TempDir,
    admin: Option<(String, String)>,
}

impl Fresh {
    /// With this many connections for reads.
    pub(crate) async fn new(connections: usize) -> Self {
        Self::empty(connections).await.with_counters().await
    }

    async fn with_counters(self) -> Self {
        self.db.migrate().await.expect("migrations");
        self.direct(|conn| {
            conn.batch_execute("CREATE TABLE counters (id BIGINT NOT NULL PRIMARY KEY, value BIGINT NOT NULL)")
                .expect("a table");
        });
        self
    }

    /// For a test with `#[ignore = "needs PostgreSQL"]`.
    pub(crate) async fn on_postgresql(connections: usize) -> Self {
        let fresh = Self::new(connections).await;
        assert!(fresh.admin.is_some(), "this test needs TEST_POSTGRES_URL");
        fresh
    }

    /// A SQLite file, in every run.
    pub(crate) async fn on_sqlite(connections: usize) -> Self {
        Self::at(None, connections).await.with_counters().await
    }

    /// Without tables.
    pub(crate) async fn empty(connections: usize) -> Self {
        Self::at(std::env::var("TEST_POSTGRES_URL").ok(), connections).await
    }

    async fn at(cluster: Option<String>, connections: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (url, admin) = match cluster {
            None => (format!("sqlite:{}/test.db", folder.path().display()), None),
            Some(cluster) => {
                let name = format!("runtime_{:032x}", rand::random::<u128>());
                execute(&cluster, &format!("CREATE DATABASE {name}"));
                let mut url = url::Url::parse(&cluster).expect("TEST_POSTGRES_URL is a URL");
                url.set_path(&name);
                (url.to_string(), Some((cluster, name)))
            }
        };
        let db = Db::open(&url, connections, identity()).await.expect("a database");
        Self { db, url, folder, admin }
    }

    /// Runs something on a separate connection, like another process.
    pub(crate) fn direct<T>(&self, work: impl FnOnce(&mut Conn) -> T) -> T {
        let address = Address::parse(&self.url).expect("an address");
        work(&mut address.connect(ConnectionMode::Migrate).expect("a connection"))
    }

    /// Breaks every connection on the server's side. Does nothing to SQLite.
    pub(crate) fn break_connections(&self) {
        if let Some((cluster, name)) = &self.admin {
            execute(
                cluster,
                &format!("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}'"),
            );
        }
    }

    /// The result of a query that returns one column `number`.
    pub(crate) fn number(&self, sql: &str) -> i64 {
        #[derive(diesel::QueryableByName)]
        struct Number {
            #[diesel(sql_type = diesel::sql_types::BigInt)]
            number: i64,
        }
        self.direct(|conn| {
            let row: Number = on_each!(conn, |c| diesel::sql_query(sql).get_result(c)).expect("a number");
            row.number
        })
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        if let Some((cluster, name)) = &self.admin {
            execute(cluster, &format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

fn execute(cluster: &str, sql: &str) {
    let mut conn = PgConnection::establish(cluster).expect("PostgreSQL answers at TEST_POSTGRES_URL");
    conn.batch_execute(sql).expect("a superuser may do this");
}
