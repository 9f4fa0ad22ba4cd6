//! Whether a database that does not say whose it is may become a service's: an empty one, or one that an earlier release of the
//! service has made.

use std::collections::BTreeSet;

use diesel::{Connection as _, SqliteConnection};
use shared_model::Failure;

use super::{
    conn::Conn,
    embedded::{Migrations, applied, version},
    schema::columns,
};

/// Whether it has no table, or what these migrations make. The versions of two services may be the same, so the versions
/// that it has had are not enough: it must have the tables and columns that come of them here.
pub(super) fn is_ours(conn: &mut Conn, migrations: Migrations) -> Result<bool, Failure> {
    let (applied, present) = (applied(conn)?, names(conn)?);
    if applied.is_empty() {
        return Ok(present.is_empty());
    }
    let ours = migrations.for_sqlite()?;
    let known = ours.iter().filter(|migration| applied.contains(&version(&***migration)));
    // Before any of them runs: some of ours may not run without others.
    if known.count() != applied.len() {
        return Ok(false);
    }
    let mut model = SqliteConnection::establish(":memory:")
        .map_err(|error| Failure::unavailable("a SQLite database in memory").from_source(error))?;
    for migration in ours {
        if applied.contains(&version(&*migration)) {
            let name = migration.name().to_string();
            migration
                .run(&mut model)
                .map_err(|error| Failure::fault(format!("migration {name}")).from_source(error))?;
        }
    }
    Ok(names(&mut Conn::Sqlite(model))?.is_subset(&present))
}

/// Tables with their columns.
fn names(conn: &mut Conn) -> Result<BTreeSet<(String, String)>, Failure> {
    Ok(columns(conn)?.into_iter().map(|column| (column.table_name, column.column_name)).collect())
}
