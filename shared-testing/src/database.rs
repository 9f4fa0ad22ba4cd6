//! A database for one test: a SQLite file, or a PostgreSQL database that is dropped after the test.

use std::{cell::RefCell, collections::BTreeMap, path::Path};

use diesel::{
    Connection as _, PgConnection, QueryResult, RunQueryDsl as _, SqliteConnection, connection::SimpleConnection as _,
};

use shared_runtime::{
    context::settings::Settings,
    service::{Service, server::open_database},
    state::db::Migrations,
};

use crate::servers::Servers;

pub struct Database {
    /// For the setting `DATABASE_URL`.
    pub url: String,
    dropped_by: Option<Admin>,
    /// A connection that holds the file's write lock.
    locked_by: RefCell<Option<SqliteConnection>>,
}

struct Admin {
    url: String,
    name: String,
}

impl Database {
    /// A new, empty database. The service migrates it when it starts.
    pub fn fresh(servers: Option<&Servers>, folder: &Path) -> Self {
        let database = Self::planned(servers, folder);
        if let Some(admin) = &database.dropped_by {
            admin.execute("CREATE DATABASE");
        }
        database
    }

    /// A database with a random name, which does not exist yet.
    pub(crate) fn planned(servers: Option<&Servers>, folder: &Path) -> Self {
        let Some(servers) = servers else {
            let url = format!("sqlite:{}", folder.join("stage.sqlite").display());
            return Self { url, dropped_by: None, locked_by: RefCell::default() };
        };
        // Random, because test processes run in parallel.
        let name = format!("stage_{:032x}", rand::random::<u128>());
        let admin = Admin { url: servers.postgres.clone(), name };
        Self { url: admin.url_of(&admin.name), dropped_by: Some(admin), locked_by: RefCell::default() }
    }

    /// Makes a planned database. On PostgreSQL it is a copy of one that was migrated before. Migrating takes a third of
    /// a second, and every test would wait for it.
    pub(crate) async fn create(&self, service: &Service, settings: &Settings) {
        let Some(admin) = &self.dropped_by else { return };
        let template = template(admin, service, settings).await;
        admin.run(&format!("CREATE DATABASE {} TEMPLATE {template}", admin.name));
    }

    /// Makes a planned database with the schema and the rows of an earlier release.
    pub(crate) async fn create_earlier(
        &self,
        service: &Service,
        settings: &Settings,
        migrations: Migrations,
        rows: &str,
    ) {
        let mut earlier = service.clone();
        earlier.migrations = migrations;
        self.create(&earlier, settings).await;
        // On PostgreSQL the template has been migrated.
        let database = open_database(&earlier, settings).await.expect("the database opens");
        database.migrate().await.expect("the migrations run");
        database.close().await;
        self.execute(rows);
    }

    pub fn execute(&self, sql: &str) {
        match self.url.strip_prefix("sqlite:") {
            Some(path) => SqliteConnection::establish(path).expect("the database file opens").batch_execute(sql),
            None => PgConnection::establish(&self.url).expect("PostgreSQL answers").batch_execute(sql),
        }
        .expect("the statement is good");
    }

    /// Makes the database unavailable: PostgreSQL closes and refuses connections; a SQLite file is locked against
    /// writes until [`Self::reconnect`].
    pub(crate) fn disconnect(&self) {
        let Some(admin) = &self.dropped_by else {
            let path = self.url.strip_prefix("sqlite:").expect("a file");
            let mut connection = SqliteConnection::establish(path).expect("the database file opens");
            // IMMEDIATE takes the write lock now; readers continue.
            connection.batch_execute("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE").expect("SQLite lets one write");
            *self.locked_by.borrow_mut() = Some(connection);
            return;
        };
        // First refuse new connections: a pool would reconnect before the last old one is closed.
        admin.run(&format!("ALTER DATABASE {} ALLOW_CONNECTIONS false", admin.name));
        let inside = format!("FROM pg_stat_activity WHERE datname = '{}'", admin.name);
        // 5000 ms: waits until the connections are closed, so that the next query fails for certain.
        admin.run(&format!("SELECT pg_terminate_backend(pid, 5000) {inside}"));
    }

    pub(crate) fn reconnect(&self) {
        match &self.dropped_by {
            Some(admin) => admin.run(&format!("ALTER DATABASE {} ALLOW_CONNECTIONS true", admin.name)),
            None => *self.locked_by.borrow_mut() = None,
        }
    }
}

pub(crate) fn count(url: &str, table: &str) -> i64 {
    numbers(url, &format!("SELECT count(*) AS number FROM {table}"))[0]
}

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
            // The service may be writing.
            connection.batch_execute("PRAGMA busy_timeout = 5000").expect("SQLite waits");
            query.get_results(&mut connection)
        }
        None => query.get_results(&mut PgConnection::establish(url).expect("PostgreSQL answers")),
    }
    .expect("there is such a table");
    rows.into_iter().map(|row| row.number).collect()
}

/// All rows of each table, as one text per table, without the tables of `skipped`.
pub fn dump(url: &str, skipped: &[&str]) -> BTreeMap<String, String> {
    let mut all = match url.strip_prefix("sqlite:") {
        Some(path) => {
            let mut connection = SqliteConnection::establish(path).expect("the database file opens");
            connection.batch_execute("PRAGMA busy_timeout = 5000").expect("SQLite waits");
            let query = |sql: &str| diesel::sql_query(sql).get_results(&mut connection);
            of_sqlite(query)
        }
        None => {
            let mut connection = PgConnection::establish(url).expect("PostgreSQL answers");
            of_postgres(|sql| diesel::sql_query(sql).get_results(&mut connection))
        }
    };
    all.retain(|table, _| !skipped.contains(&table.as_str()));
    all
}

/// The tables whose rows differ between two dumps.
pub fn changed<'t>(before: &'t BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<&'t str> {
    before.iter().filter(|(table, rows)| after.get(*table) != Some(rows)).map(|(table, _)| table.as_str()).collect()
}

#[derive(diesel::QueryableByName)]
struct Line {
    #[diesel(sql_type = diesel::sql_types::Text)]
    text: String,
}

fn of_sqlite(mut query: impl FnMut(&str) -> QueryResult<Vec<Line>>) -> BTreeMap<String, String> {
    let mut texts = |sql: &str| lines(query(sql));
    let tables = texts(
        "SELECT name AS text FROM pragma_table_list
         WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    );
    let rows = |table: String| {
        let columns = format!("SELECT 'quote(\"' || name || '\")' AS text FROM pragma_table_info('{table}')");
        let row = texts(&columns).join(" || ',' || ");
        let all = format!("SELECT {row} AS text FROM \"{table}\" ORDER BY 1");
        (texts(&all).join("\n"), table)
    };
    tables.into_iter().map(rows).map(|(rows, table)| (table, rows)).collect()
}

fn of_postgres(mut query: impl FnMut(&str) -> QueryResult<Vec<Line>>) -> BTreeMap<String, String> {
    let mut texts = |sql: &str| lines(query(sql));
    let tables = "SELECT table_name::text AS text FROM information_schema.tables WHERE table_schema = current_schema()";
    let tables = texts(tables);
    let rows = |table: String| {
        let all = format!("SELECT one::text AS text FROM {table} AS one ORDER BY 1");
        (texts(&all).join("\n"), table)
    };
    tables.into_iter().map(rows).map(|(rows, table)| (table, rows)).collect()
}

fn lines(found: QueryResult<Vec<Line>>) -> Vec<String> {
    found.expect("the query is good").into_iter().map(|line| line.text).collect()
}

/// A migrated database of this service with these settings; its name. It stays in the cluster for later tests.
async fn template(admin: &Admin, service: &Service, settings: &Settings) -> String {
    // A database names the service and its secret, so those with other secrets have another template.
    let secret = settings.secret.derive("template of tests").tag(&[service.surface.name.as_bytes()]);
    let name = format!("template_{}_{}", &hex::encode(secret)[..16], &service.migrations.sha256()[..16]);
    let mut session = PgConnection::establish(&admin.url).expect("PostgreSQL answers at TEST_POSTGRES_URL");
    // Test processes run in parallel, and one of them makes it. The lock ends with the session.
    session.batch_execute(&format!("SELECT pg_advisory_lock(hashtext('{name}'))")).expect("the lock is free soon");
    let exists = format!("SELECT count(*) AS number FROM pg_database WHERE datname = '{name}'");
    if numbers(&admin.url, &exists) == [0] {
        // Renamed when it is whole: a test process may be killed meanwhile.
        session.batch_execute(&format!("DROP DATABASE IF EXISTS {name}_new WITH (FORCE)")).expect("it was left behind");
        session.batch_execute(&format!("CREATE DATABASE {name}_new")).expect("a superuser may do this");
        let database_url = admin.url_of(&format!("{name}_new"));
        let unmigrated = Settings { database_url, ..settings.clone() };
        let database = open_database(service, &unmigrated).await.expect("the database opens");
        database.migrate().await.expect("the migrations run");
        database.close().await;
        session.batch_execute(&format!("ALTER DATABASE {name}_new RENAME TO {name}")).expect("nobody else uses it");
    }
    name
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
        // FORCE, because a killed service may leave connections behind.
        let force = if what.starts_with("DROP") { " WITH (FORCE)" } else { "" };
        self.run(&format!("{what} {}{force}", self.name));
    }

    /// The URL of another database of the cluster.
    fn url_of(&self, name: &str) -> String {
        let (cluster, rest) = self.url.split_once("://").expect("TEST_POSTGRES_URL is a URL");
        let (host, path) = rest.split_once('/').expect("TEST_POSTGRES_URL names a database");
        let query = path.split_once('?').map_or(String::new(), |(_, query)| format!("?{query}"));
        format!("{cluster}://{host}/{name}{query}")
    }

    fn run(&self, sql: &str) {
        let mut connection = PgConnection::establish(&self.url).expect("PostgreSQL answers at TEST_POSTGRES_URL");
        connection.batch_execute(sql).expect("a superuser may do this");
    }
}
