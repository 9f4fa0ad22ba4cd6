//! Bringing a database's schema up to date: the runtime's own tables first, then the service's.

use std::time::Duration;

use diesel::{
    PgConnection, QueryDsl as _, RunQueryDsl as _, SqliteConnection,
    backend::Backend,
    connection::{AnsiTransactionManager, TransactionManager as _},
    migration::{Migration, MigrationConnection as _, MigrationSource},
    pg::Pg,
    result::QueryResult,
    sql_types::{Bool, Integer},
    sqlite::Sqlite,
};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness as _, embed_migrations};
use shared_model::Failure;

use super::{address::Address, conn::Conn, side::Side};

/// A service's schema, for both databases; the versions of the two are the same.
#[derive(Clone, Copy)]
pub struct Migrations {
    /// `migrations/sqlite`, by `diesel_migrations::embed_migrations!`.
    pub sqlite: fn() -> EmbeddedMigrations,
    /// `migrations/postgres`.
    pub postgres: fn() -> EmbeddedMigrations,
}

impl Migrations {
    /// The runtime's own tables and no more.
    pub fn none() -> Self {
        Self { sqlite: || EmbeddedMigrations::new(&[]), postgres: || EmbeddedMigrations::new(&[]) }
    }
}

const SQLITE: EmbeddedMigrations = embed_migrations!("migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("migrations/postgres");

diesel::table! {
    __diesel_schema_migrations (version) {
        version -> Text,
    }
}

/// The names of the migrations that the database lacks. Changes nothing, so that a role that cannot may ask.
pub(super) fn pending(address: &Address, service: Migrations) -> Result<Vec<String>, Failure> {
    Ok(match address.connect(Side::Migrate)? {
        Conn::Sqlite(mut conn) => {
            let applied = sqlite_versions(&mut conn)?;
            names(&lacking::<Sqlite>(&[SQLITE, (service.sqlite)()], &applied)?)
        }
        Conn::Postgres(mut conn) => {
            let applied = postgres_versions(&mut conn)?;
            names(&lacking::<Pg>(&[POSTGRES, (service.postgres)()], &applied)?)
        }
    })
}

/// Runs the migrations that the database lacks; their names. Any number of processes may do so at once.
pub(super) fn run(address: &Address, service: Migrations) -> Result<Vec<String>, Failure> {
    if pending(address, service)?.is_empty() {
        return Ok(Vec::new());
    }
    match address.connect(Side::Migrate)? {
        Conn::Sqlite(mut conn) => {
            AnsiTransactionManager::begin_transaction_sql(&mut conn, "BEGIN IMMEDIATE")?;
            let ran = run_sqlite(&mut conn, &[SQLITE, (service.sqlite)()]);
            match &ran {
                Ok(_) => AnsiTransactionManager::commit_transaction(&mut conn)?,
                Err(_) => AnsiTransactionManager::rollback_transaction(&mut conn)?,
            }
            ran
        }
        // The lock ends with the session.
        Conn::Postgres(mut conn) => {
            lock(&mut conn)?;
            run_postgres(&mut conn, &[POSTGRES, (service.postgres)()])
        }
    }
}

fn run_sqlite(conn: &mut SqliteConnection, sources: &[EmbeddedMigrations]) -> Result<Vec<String>, Failure> {
    conn.setup()?;
    let lacking = lacking(sources, &sqlite_versions(conn)?)?;
    for migration in &lacking {
        conn.run_migration(migration).map_err(|error| broken(migration.name(), error))?;
    }
    Ok(names(&lacking))
}

fn run_postgres(conn: &mut PgConnection, sources: &[EmbeddedMigrations]) -> Result<Vec<String>, Failure> {
    conn.setup()?;
    let lacking = lacking(sources, &postgres_versions(conn)?)?;
    for migration in &lacking {
        conn.run_migration(migration).map_err(|error| broken(migration.name(), error))?;
    }
    Ok(names(&lacking))
}

/// `FOUR` in ASCII: any number would do that nobody else locks.
const LOCK: i32 = 0x464f_5552;
const LOCK_TRIES: u32 = 600;

/// Takes the advisory lock. It asks again and again rather than waits: a waiting statement would keep a concurrent
/// index build of the other process from ending.
fn lock(conn: &mut PgConnection) -> Result<(), Failure> {
    diesel::define_sql_function! { fn pg_try_advisory_lock(space: Integer, lock: Integer) -> Bool; }
    for _ in 0..LOCK_TRIES {
        if diesel::select(pg_try_advisory_lock(LOCK, 1)).get_result(conn)? {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Err(Failure::unavailable("another process migrates the database and does not end"))
}

#[derive(diesel::QueryableByName)]
struct Present {
    #[diesel(sql_type = Bool)]
    present: bool,
}

fn sqlite_versions(conn: &mut SqliteConnection) -> QueryResult<Vec<String>> {
    let Present { present } = diesel::sql_query(
        "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = '__diesel_schema_migrations') AS present",
    )
    .get_result(conn)?;
    if present {
        __diesel_schema_migrations::table.select(__diesel_schema_migrations::version).load(conn)
    } else {
        Ok(Vec::new())
    }
}

fn postgres_versions(conn: &mut PgConnection) -> QueryResult<Vec<String>> {
    let Present { present } =
        diesel::sql_query("SELECT to_regclass('__diesel_schema_migrations') IS NOT NULL AS present")
            .get_result(conn)?;
    if present {
        __diesel_schema_migrations::table.select(__diesel_schema_migrations::version).load(conn)
    } else {
        Ok(Vec::new())
    }
}

/// What the sources have and the database has not, in the order of the versions. What only the database has is of a
/// newer release, which goes on running beside this one.
fn lacking<DB: Backend>(
    sources: &[EmbeddedMigrations],
    applied: &[String],
) -> Result<Vec<Box<dyn Migration<DB>>>, Failure>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    let mut all = Vec::new();
    for source in sources {
        all.extend(source.migrations().map_err(|error| Failure::fault("embedded migrations").from_source(error))?);
    }
    all.sort_by_key(|migration| migration.name().version().to_string());
    if let Some(pair) = all.windows(2).find(|pair| pair[0].name().version() == pair[1].name().version()) {
        return Err(Failure::fault(format!("two migrations of one version: {}", pair[0].name())));
    }
    all.retain(|migration| !applied.contains(&migration.name().version().to_string()));
    Ok(all)
}

fn names<DB: Backend>(migrations: &[Box<dyn Migration<DB>>]) -> Vec<String> {
    migrations.iter().map(|migration| migration.name().to_string()).collect()
}

fn broken(name: &dyn std::fmt::Display, error: Box<dyn std::error::Error + Send + Sync>) -> Failure {
    Failure::fault(format!("migration {name}")).from_source(error)
}
