//! The file of a SQLite database: looked at before it is opened to be written.

use std::{fs, io::ErrorKind, path::Path};

use diesel::connection::SimpleConnection as _;
use shared_model::Failure;

use super::{conn::Conn, side::Side, sqlite, wrong_database::WrongDatabase};

/// A connection that changes nothing; `None` when there is no file yet, but a folder for it. The file is never opened but by
/// SQLite: closing another descriptor of it would end the locks that SQLite holds in this process.
pub(super) fn look(path: &Path) -> Result<Option<Conn>, Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.is_dir()) {
        return Err(WrongDatabase::NoFolder(folder.to_owned()).into());
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(WrongDatabase::Folder(path.to_owned()).into()),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::fault(format!("the file {}", path.display())).from_source(error)),
    }
    let mut conn = sqlite::connect(path, Side::Look)?;
    match conn.batch_execute("SELECT count(*) FROM sqlite_master") {
        Err(error) if error.to_string() == "file is not a database" => {
            Err(WrongDatabase::NoDatabase(path.to_owned()).into())
        }
        Err(error) => Err(error.into()),
        Ok(()) => Ok(Some(conn)),
    }
}
