//! The migrations that are compiled in: the runtime's own and a service's.

use diesel::{
    QueryDsl as _, RunQueryDsl as _,
    backend::Backend,
    migration::{Migration, MigrationSource},
    pg::Pg,
    result::QueryResult,
    sql_types::{Bool, Text},
    sqlite::Sqlite,
};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use shared_model::Failure;

use super::conn::Conn;
use crate::on_each;

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

    /// All for SQLite, with the runtime's, in the order of their versions.
    pub(super) fn for_sqlite(self) -> Result<Vec<Box<dyn Migration<Sqlite>>>, Failure> {
        sorted(&[SQLITE, (self.sqlite)()])
    }

    /// All for PostgreSQL, likewise.
    pub(super) fn for_postgres(self) -> Result<Vec<Box<dyn Migration<Pg>>>, Failure> {
        sorted(&[POSTGRES, (self.postgres)()])
    }
}

const SQLITE: EmbeddedMigrations = embed_migrations!("migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("migrations/postgres");

fn sorted<DB: Backend>(sources: &[EmbeddedMigrations]) -> Result<Vec<Box<dyn Migration<DB>>>, Failure>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    let mut all: Vec<Box<dyn Migration<DB>>> = Vec::new();
    for source in sources {
        all.extend(source.migrations().map_err(|error| Failure::fault("embedded migrations").from_source(error))?);
    }
    all.sort_by_cached_key(|migration| version(&**migration));
    match all.windows(2).find(|pair| version(&*pair[0]) == version(&*pair[1])) {
        Some(pair) => Err(Failure::fault(format!("two migrations of one version: {}", pair[0].name()))),
        None => Ok(all),
    }
}

/// The version of a migration, as the database records it.
pub(super) fn version<DB: Backend>(migration: &dyn Migration<DB>) -> String {
    migration.name().version().to_string()
}

/// Runs those of the migrations that are wanted, in their order; the names of those.
pub(super) fn apply<DB: Backend>(
    conn: &mut impl MigrationHarness<DB>,
    migrations: Vec<Box<dyn Migration<DB>>>,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for migration in migrations.into_iter().filter(|migration| is_wanted(&version(&**migration))) {
        let name = migration.name().to_string();
        conn.run_migration(&migration)
            .map_err(|error| Failure::fault(format!("migration {name}")).from_source(error))?;
        names.push(name);
    }
    Ok(names)
}

diesel::table! {
    __diesel_schema_migrations (version) {
        version -> Text,
    }
}

/// The versions of the migrations that the database has had. Changes nothing, so that a role that cannot may ask.
pub(super) fn applied(conn: &mut Conn) -> QueryResult<Vec<String>> {
    if has_table(conn, "__diesel_schema_migrations")? {
        __diesel_schema_migrations::table.select(__diesel_schema_migrations::version).load(conn)
    } else {
        Ok(Vec::new())
    }
}

#[derive(diesel::QueryableByName)]
struct Present {
    #[diesel(sql_type = Bool)]
    present: bool,
}

/// Whether there is such a table; on PostgreSQL in the schema in which this connection makes tables, whatever else its
/// search_path names.
pub(super) fn has_table(conn: &mut Conn, name: &str) -> QueryResult<bool> {
    let sql = match conn {
        Conn::Sqlite(_) => "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?) AS present",
        Conn::Postgres(_) => {
            "SELECT to_regclass(quote_ident(current_schema()) || '.' || quote_ident($1)) IS NOT NULL AS present"
        }
    };
    let Present { present } = on_each!(conn, |c| diesel::sql_query(sql).bind::<Text, _>(name).get_result(c))?;
    Ok(present)
}
