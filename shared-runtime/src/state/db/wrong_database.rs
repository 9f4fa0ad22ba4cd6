//! Why a service refuses a database, in a sentence that says what to do.

use std::{fmt, path::PathBuf};

use shared_model::Failure;

/// A mistake of whoever chose the database or its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongDatabase {
    /// It belongs to another service.
    OtherService {
        /// Which one it is, without a password.
        place: String,
        /// Whose it is.
        owner: String,
        /// Who asks.
        service: &'static str,
    },
    /// It has tables that no release of this service has made.
    OtherTables {
        /// Which one it is, without a password.
        place: String,
        /// Who asks.
        service: &'static str,
    },
    /// It was made with another secret.
    OtherSecret {
        /// Which one it is, without a password.
        place: String,
        /// Who asks.
        service: &'static str,
    },
    /// The file is no SQLite database.
    NoDatabase(PathBuf),
    /// The path is that of a folder.
    Folder(PathBuf),
    /// The file's folder does not exist.
    NoFolder(PathBuf),
    /// Another process serves the file.
    Served {
        /// The file.
        path: PathBuf,
        /// The process, if it has said so.
        pid: Option<u32>,
    },
}

impl fmt::Display for WrongDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherService { place, owner, service } => write!(
                f,
                "{place} belongs to the {owner} service: set DATABASE_URL to the database of the {service} service, or to \
                 a place where there is none yet"
            ),
            Self::OtherTables { place, service } => write!(
                f,
                "{place} has tables that the {service} service did not make: set DATABASE_URL to the database of the \
                 {service} service, or to a place where there is none yet"
            ),
            Self::OtherSecret { place, service } => write!(
                f,
                "SERVICE_SECRET is not the one that {place} was made with: set that one, or stop the service and run \
                 `{service}-svc migrate --new-secret` to go on with this one"
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
