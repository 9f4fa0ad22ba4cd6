//! `orders-svc export`: every order as a line that can be imported again, in the order of their ids.

use std::{
    error::Error as StdError,
    fs::{self, OpenOptions},
    io::{self, BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
};

use shared_runtime::{Context, base::atomic_file::AtomicFile, import};

use super::store;

/// Orders that are read at a time.
const PAGE: i64 = 500;

/// Writes every order to `path`; `-` and nothing are standard output.
pub async fn run(context: &Context, path: Option<&Path>) -> Result<(), Box<dyn StdError>> {
    let exported = match path.filter(|path| *path != Path::new("-")) {
        None => write_all(context, &mut BufWriter::new(io::stdout())).await?,
        Some(path) => write_to(context, path).await.map_err(|error| format!("{}: {error}", path.display()))?,
    };
    import::print_error_line(format_args!("{exported} exported"));
    Ok(())
}

/// Writes every order to what is at `path`: a file is put there when it is whole, for its owner alone, and whatever else
/// is there is written into.
async fn write_to(context: &Context, path: &Path) -> Result<u64, Box<dyn StdError>> {
    let Some(path) = file_at(path)? else {
        return write_all(context, &mut BufWriter::new(OpenOptions::new().write(true).open(path)?)).await;
    };
    let mut file = AtomicFile::create(&path)?;
    let exported = write_all(context, &mut BufWriter::new(&mut file)).await?;
    file.replace()?;
    Ok(exported)
}

/// The file that is, or will be, at `path`, links followed; `None` when something else is there.
fn file_at(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => fs::canonicalize(path).map(Some),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound && fs::symlink_metadata(path).is_ok() => {
            Err(io::Error::new(ErrorKind::NotFound, "is a link to nothing"))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Some(path.to_owned())),
        Err(error) => Err(error),
    }
}

/// Writes every order; how many there were. Each is whole, and those that change meanwhile are the old or the new one.
pub async fn write_all(context: &Context, out: &mut impl Write) -> Result<u64, Box<dyn StdError>> {
    let (mut after, mut exported) = (None, 0);
    loop {
        let page = context.read(move |conn| Ok(store::list_all(conn, after, PAGE)?)).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.order.id);
        for record in &page {
            serde_json::to_writer(&mut *out, record)?;
            out.write_all(b"\n")?;
        }
        exported += page.len() as u64;
    }
    out.flush()?;
    Ok(exported)
}
