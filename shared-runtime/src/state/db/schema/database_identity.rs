//! Which service owns a database: one row with its name and a fingerprint of its secret.

use diesel::{ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, RunQueryDsl as _, sql_types::Text};
use shared_model::{Failure, Secret};

use super::{
    introspection::columns,
    migration::{Migrations, applied, has_table},
};
use crate::{
    on_each,
    state::db::connection::{conn::Conn, postgres, wrong_database::WrongDatabase},
};

diesel::table! {
    database_identity (number) {
        number -> BigInt,
        surface -> Text,
        secret_fingerprint -> Binary,
    }
}

/// The owner that a database must have, and its schema.
#[derive(Clone)]
pub struct DatabaseIdentity {
    surface: &'static str,
    secret_fingerprint: [u8; 32],
    pub migrations: Migrations,
    takes_secret: bool,
}

/// The relation of an accepted database to the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership {
    Own,
    /// It is empty. Migrating makes it the service's.
    Unclaimed,
    /// It is the service's, and migrating records the current secret in place of the old one.
    NewSecret,
}

impl DatabaseIdentity {
    /// The version of the migration that makes the table. It must be the lowest of all.
    pub const VERSION: &str = "20261124000000";

    /// `surface` is the name of a [`crate::Surface`].
    pub fn new(surface: &'static str, secret: &Secret, migrations: Migrations) -> Self {
        // A separate derived key: the fingerprint reveals nothing about the secret or its other keys. The tag contains the
        // name, so two services with one secret have two fingerprints.
        let secret_fingerprint = secret.derive("database identity").tag(&[surface.as_bytes()]);
        Self { surface, secret_fingerprint, migrations, takes_secret: false }
    }

    /// For an operator who changes the secret: migrating records the new one.
    pub fn taking_secret(self) -> Self {
        Self { takes_secret: true, ..self }
    }

    /// An error when the service must not touch the database. Needs only the right to read.
    pub fn ownership(&self, conn: &mut Conn) -> Result<Ownership, Failure> {
        check_owner(conn, self.surface)?;
        let Some((_, fingerprint)) = recorded(conn)? else {
            if applied(conn)?.is_empty() && columns(conn)?.is_empty() {
                return Ok(Ownership::Unclaimed);
            }
            // Another process may have claimed it between these queries. The owner's row is committed with the first table.
            if recorded(conn)?.is_some() {
                return self.ownership(conn);
            }
            return Err(WrongDatabase::OtherTables { place: place(conn)?, service: self.surface }.into());
        };
        match (fingerprint == self.secret_fingerprint, self.takes_secret) {
            (true, _) => Ok(Ownership::Own),
            (false, true) => Ok(Ownership::NewSecret),
            (false, false) => Err(WrongDatabase::OtherSecret { place: place(conn)?, service: self.surface }.into()),
        }
    }

    /// Makes the database the service's. Call it in the transaction that read `ownership`. The secret does not change
    /// while a process has a session of PostgreSQL.
    pub fn record(&self, conn: &mut Conn, ownership: Ownership) -> Result<(), Failure> {
        let fingerprint = database_identity::secret_fingerprint.eq(self.secret_fingerprint.as_slice());
        match ownership {
            Ownership::Own => {}
            Ownership::Unclaimed => {
                let row = (database_identity::number.eq(1), database_identity::surface.eq(self.surface), fingerprint);
                diesel::insert_into(database_identity::table).values(row).execute(conn)?;
            }
            Ownership::NewSecret => {
                if let Conn::Postgres(server) = conn
                    && !postgres::lock_out_sessions(server)?
                {
                    return Err(WrongDatabase::InUse { place: place(conn)?, service: self.surface }.into());
                }
                diesel::update(database_identity::table).set(fingerprint).execute(conn)?;
            }
        }
        Ok(())
    }
}

/// An error when the database belongs to another service than this one.
pub fn check_owner(conn: &mut Conn, service: &'static str) -> Result<(), Failure> {
    match recorded(conn)? {
        Some((owner, _)) if owner != service => {
            Err(WrongDatabase::OtherService { place: place(conn)?, owner, service }.into())
        }
        _ => Ok(()),
    }
}

fn recorded(conn: &mut Conn) -> Result<Option<(String, Vec<u8>)>, Failure> {
    if !has_table(conn, "database_identity")? {
        return Ok(None);
    }
    let columns = (database_identity::surface, database_identity::secret_fingerprint);
    Ok(database_identity::table.select(columns).first(conn).optional()?)
}

#[derive(diesel::QueryableByName)]
struct DatabaseName {
    #[diesel(sql_type = Text)]
    place: String,
}

/// Names the database in an error message.
fn place(conn: &mut Conn) -> Result<String, Failure> {
    let sql = match conn {
        Conn::Sqlite(_) => {
            "SELECT 'the SQLite database ' || file AS place FROM pragma_database_list WHERE name = 'main'"
        }
        Conn::Postgres(_) => {
            "SELECT 'the schema ' || current_schema() || ' of the PostgreSQL database ' || current_database() AS place"
        }
    };
    let DatabaseName { place } = on_each!(conn, |c| diesel::sql_query(sql).get_result(c))?;
    Ok(place)
}
