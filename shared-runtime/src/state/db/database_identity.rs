//! Whose database it is: the row that says which service made it, and with which secret.

use diesel::{ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, RunQueryDsl as _, sql_types::Text};
use shared_model::{Failure, Secret};

use super::{
    adoption,
    conn::Conn,
    embedded::{Migrations, has_table},
    wrong_database::WrongDatabase,
};
use crate::on_each;

diesel::table! {
    database_identity (number) {
        number -> BigInt,
        surface -> Text,
        secret_fingerprint -> Binary,
    }
}

/// What a database of the service says of itself, and the schema that it has.
#[derive(Clone)]
pub struct DatabaseIdentity {
    surface: &'static str,
    secret_fingerprint: [u8; 32],
    pub(super) migrations: Migrations,
    takes_secret: bool,
}

/// How a database that is not refused stands to the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is the service's.
    Own,
    /// It is empty, or of a release that did not record its service; migrating makes it the service's.
    Unclaimed,
    /// It is the service's, and is to take the secret at hand for the one that it was made with.
    TakesSecret,
}

impl DatabaseIdentity {
    /// The version of the migration that makes the table.
    pub(super) const VERSION: &str = "20261121000000";

    /// The database of the service of this name ([`crate::Surface`]), with this secret.
    pub fn new(surface: &'static str, secret: &Secret, migrations: Migrations) -> Self {
        // A tag under a key of its own: it tells nothing of the secret nor of what else is derived from it, and two services
        // with one secret have two fingerprints.
        let secret_fingerprint = secret.derive("database identity").tag(&[surface.as_bytes()]);
        Self { surface, secret_fingerprint, migrations, takes_secret: false }
    }

    /// The same, for an operator who changes the secret: migrating records the new one.
    pub fn taking_secret(self) -> Self {
        Self { takes_secret: true, ..self }
    }

    /// How the database stands to the service; an error when it is not to be touched. Changes nothing.
    pub(super) fn standing(&self, conn: &mut Conn) -> Result<Standing, Failure> {
        of_no_other(conn, self.surface)?;
        let Some((_, fingerprint)) = recorded(conn)? else {
            if adoption::is_ours(conn, self.migrations)? {
                return Ok(Standing::Unclaimed);
            }
            // Another process may have made it its own between two of these queries; its row comes with its first table.
            if recorded(conn)?.is_some() {
                return self.standing(conn);
            }
            return Err(WrongDatabase::OtherTables { place: place(conn)?, service: self.surface }.into());
        };
        match (fingerprint == self.secret_fingerprint, self.takes_secret) {
            (true, _) => Ok(Standing::Own),
            (false, true) => Ok(Standing::TakesSecret),
            (false, false) => Err(WrongDatabase::OtherSecret { place: place(conn)?, service: self.surface }.into()),
        }
    }

    /// Makes the database the service's, in the transaction that found this standing.
    pub(super) fn record(&self, conn: &mut Conn, standing: Standing) -> Result<(), Failure> {
        let fingerprint = database_identity::secret_fingerprint.eq(self.secret_fingerprint.as_slice());
        match standing {
            Standing::Own => {}
            Standing::Unclaimed => {
                let row = (database_identity::number.eq(1), database_identity::surface.eq(self.surface), fingerprint);
                diesel::insert_into(database_identity::table).values(row).execute(conn)?;
            }
            Standing::TakesSecret => {
                diesel::update(database_identity::table).set(fingerprint).execute(conn)?;
            }
        }
        Ok(())
    }
}

/// An error when the database belongs to another service than this one.
pub(super) fn of_no_other(conn: &mut Conn, service: &'static str) -> Result<(), Failure> {
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
struct Place {
    #[diesel(sql_type = Text)]
    place: String,
}

/// Which database this is, for a sentence.
fn place(conn: &mut Conn) -> Result<String, Failure> {
    let sql = match conn {
        Conn::Sqlite(_) => {
            "SELECT 'the SQLite database ' || file AS place FROM pragma_database_list WHERE name = 'main'"
        }
        Conn::Postgres(_) => {
            "SELECT 'the schema ' || current_schema() || ' of the PostgreSQL database ' || current_database() AS place"
        }
    };
    let Place { place } = on_each!(conn, |c| diesel::sql_query(sql).get_result(c))?;
    Ok(place)
}
