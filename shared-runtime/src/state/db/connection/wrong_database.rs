//! Why a service refuses a database. Each sentence says what the operator should do.

use std::{fmt, path::PathBuf};

use shared_model::Failure;

/// A mistake in DATABASE_URL or SERVICE_SECRET. `place` describes the database without its password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongDatabase {
    OtherService {
        place: String,
        owner: String,
        service: &'static str,
    },
    OtherTables {
        place: String,
        service: &'static str,
    },
    OtherSecret {
        place: String,
        service: &'static str,
    },
    /// Sessions of PostgreSQL prevent a change of the secret.
    InUse {
        place: String,
        service: &'static str,
    },
    NoDatabase(PathBuf),
    Folder(PathBuf),
    NoFolder(PathBuf),
    Served {
        path: PathBuf,
        /// `None` while the process has not written its id yet.
        pid: Option<u32>,
    },
}

impl fmt::Display for WrongDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherService { place, owner, service } => write!(
                f,
                "{place} belongs to the {owner} service: set DATABASE_URL to the database of the {service} service, or \
                 to a new one"
            ),
            Self::OtherTables { place, service } => write!(
                f,
                "{place} has tables that the {service} service did not make: set DATABASE_URL to the database of the \
                 {service} service, or to a new one"
            ),
            Self::OtherSecret { place, service } => write!(
                f,
                "SERVICE_SECRET is not the one that {place} was made with: set that one, or stop the service and run \
                 `{service}-svc migrate --new-secret` to go on with this one"
            ),
            Self::InUse { place, service } => write!(
                f,
                "{place} is in use by a process of the {service} service: stop all of them first, and end sessions of \
                 machines that are gone with pg_terminate_backend"
            ),
            Self::NoDatabase(path) => write!(
                f,
                "{} is not a SQLite database: set DATABASE_URL to one, or to a file that does not exist yet",
                path.display()
            ),
            Self::Folder(path) => write!(
                f,
                "{} is a folder: set DATABASE_URL to a file in it, like sqlite:{0}/service.db",
                path.display()
            ),
            Self::NoFolder(folder) => write!(
                f,
                "the folder {} of the SQLite database does not exist: create it, or mount what belongs there",
                folder.display()
            ),
            Self::Served { path, pid } => {
                let holder = pid.map_or("another process".to_owned(), |pid| format!("the process {pid}"));
                write!(
                    f,
                    "{} is served by {holder} already: stop that one first, or use PostgreSQL, which several can serve",
                    path.display()
                )
            }
        }
    }
}

impl std::error::Error for WrongDatabase {}

impl From<WrongDatabase> for Failure {
    fn from(wrong: WrongDatabase) -> Self {
        Self::fault(wrong.to_string()).from_source(wrong)
    }
}
