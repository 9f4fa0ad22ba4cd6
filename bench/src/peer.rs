//! A minimal actix handler that returns prepared bytes.

use std::{fs, path::Path};

use actix_web::{App, HttpResponse, HttpServer, web};
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

/// An answer of the service.
#[derive(Clone, Serialize, Deserialize)]
pub struct Prepared {
    /// Without those that actix writes itself.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

/// Serves until killed. Prints its address as the first line.
pub fn serve(answer: &Path) -> Result<()> {
    let prepared: Prepared = serde_json::from_slice(&fs::read(answer)?)?;
    actix_web::rt::System::new().block_on(async {
        let app = move || {
            let prepared = prepared.clone();
            App::new().default_service(web::to(move || {
                let mut response = HttpResponse::Ok();
                for (name, value) in &prepared.headers {
                    response.insert_header((name.as_str(), value.as_str()));
                }
                let response = response.body(prepared.body.clone());
                async move { response }
            }))
        };
        let server = HttpServer::new(app).bind(("127.0.0.1", 0))?;
        println!("{}", server.addrs().first().context("no address")?);
        server.run().await?;
        Ok(())
    })
}
