//! `orders-svc export`: writes every order as a line that can be imported, sorted by id.

use std::{
    error::Error as StdError,
    fs::{self, OpenOptions},
    io::{self, BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
};

use shared_runtime::{Context, base::atomic_file::AtomicFile, import};

use super::store;

// Bounds the memory, and keeps read transactions short.
const BATCH_ROWS: i64 = 500;

/// Writes every order to `path`. `-` and `None` mean standard output.
pub async fn run(context: &Context, path: Option<&Path>) -> Result<(), Box<dyn StdError>> {
    let exported = match path.filter(|path| *path != Path::new("-")) {
        None => write_all(context, &mut BufWriter::new(io::stdout())).await?,
        Some(path) => write_to(context, path).await.map_err(|error| format!("{}: {error}", path.display()))?,
    };
    import::print_error_line(format_args!("{exported} exported"));
    Ok(())
}

// A regular file appears only when it is complete, and only its owner can read it. A pipe or device is written
// directly.
async fn write_to(context: &Context, path: &Path) -> Result<u64, Box<dyn StdError>> {
    let Some(path) = regular_file_at(path)? else {
        return write_all(context, &mut BufWriter::new(OpenOptions::new().write(true).open(path)?)).await;
    };
    let mut file = AtomicFile::create(&path)?;
    let exported = write_all(context, &mut BufWriter::new(&mut file)).await?;
    file.replace()?;
    Ok(exported)
}

// Links are resolved, so that replacing the file does not replace a link to it.
fn regular_file_at(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => fs::canonicalize(path).map(Some),
        Ok(_) => Ok(None),
        // Creating the file through a dangling link would write to a place that the operator did not name.
        Err(error) if error.kind() == ErrorKind::NotFound && fs::symlink_metadata(path).is_ok() => {
            Err(io::Error::new(ErrorKind::NotFound, "is a link to a file that does not exist"))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Some(path.to_owned())),
        Err(error) => Err(error),
    }
}

/// Writes every order and returns their number. An order that changes meanwhile is written in its old or its new
/// version.
pub async fn write_all(context: &Context, out: &mut impl Write) -> Result<u64, Box<dyn StdError>> {
    let (mut after, mut exported) = (None, 0);
    loop {
        let batch = context.read(move |conn| Ok(store::list_batch(conn, after, BATCH_ROWS)?)).await?;
        let Some(last) = batch.last() else { break };
        after = Some(last.order.id);
        for record in &batch {
            serde_json::to_writer(&mut *out, record)?;
            out.write_all(b"\n")?;
        }
        exported += batch.len() as u64;
    }
    out.flush()?;
    Ok(exported)
}
