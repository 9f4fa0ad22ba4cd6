//! The peer of downloads: actix-files alone.

use std::path::Path;

use actix_web::{App, HttpServer};
use anyhow::{Context as _, Result};

/// Serves a folder until killed. Prints its address as the first line.
pub fn serve(folder: &Path) -> Result<()> {
    let folder = folder.to_owned();
    actix_web::rt::System::new().block_on(async {
        let app = move || App::new().service(actix_files::Files::new("/", &folder));
        let server = HttpServer::new(app).bind(("127.0.0.1", 0))?;
        println!("{}", server.addrs().first().context("no address")?);
        server.run().await?;
        Ok(())
    })
}
