//! `orders-svc export`: every order as a line that can be imported again, in the order of their ids.

use std::{
    error::Error,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::Path,
};

use shared_runtime::{Desk, Halt, cli};

use super::store;

/// Orders that are read at a time.
const PAGE: i64 = 500;

/// Writes every order to a file, which is there only when it is whole, or to standard output.
pub async fn run(desk: &Desk, path: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let exported = match path {
        None => write_all(desk, &mut BufWriter::new(io::stdout())).await?,
        Some(path) => {
            let partial = path.with_added_extension("partial");
            let told = |error| format!("{}: {error}", partial.display());
            let mut file = BufWriter::new(File::create(&partial).map_err(told)?);
            let exported = write_all(desk, &mut file).await?;
            file.get_ref().sync_all().map_err(told)?;
            fs::rename(&partial, path).map_err(told)?;
            exported
        }
    };
    eprintln!("{exported} exported");
    Ok(())
}

/// Writes every order; how many there were. Each is whole, and those that change meanwhile are the old or the new one.
pub async fn write_all(desk: &Desk, out: &mut impl Write) -> Result<u64, Box<dyn Error>> {
    let (mut after, mut exported) = (None, 0);
    loop {
        let page = desk.read(move |conn| store::list_all(conn, after, PAGE).map_err(Halt::from)).await;
        let page = page.map_err(cli::told)?;
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
