//! `bench tree`: listing, moving, trashing and restoring the largest folder of a large workspace.

use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use shared_testing::{Caller, Text as _};
use tokio::time::Instant;

use crate::{load::Load, names, service::UnderLoad};

#[derive(Args, Clone)]
pub struct Tree {
    #[command(flatten)]
    pub load: Load,
    /// Folders, all within one folder
    #[arg(long, default_value_t = 5_000)]
    pub folders: u64,
    /// Files, spread over the folders
    #[arg(long, default_value_t = 200_000)]
    pub files: u64,
}

/// Measures each operation ten times and prints the longest.
pub async fn run(tree: &Tree) -> Result<()> {
    let service = UnderLoad::start("cloud-svc", cloud_svc::service(), tree.load.servers(), 1).await?;
    let ada = service.first().caller("ada");
    let folder = async |name: &str| {
        let created = ada.post("/v1/folders").fresh_key().json(json!({"name": name})).await.status(200);
        created["file"]["id"].text().to_owned()
    };
    let (top, elsewhere) = (folder("Top").await, folder("Elsewhere").await);
    let number: i64 = top.trim_start_matches("file_").parse()?;
    names::insert_tree(service.first().database_url(), number, tree.folders, tree.files)?;
    println!("tree: {} files in {} folders within one, {}", tree.files, tree.folders, tree.load.ground());
    let mut worst =
        [("list", Duration::ZERO), ("move", Duration::ZERO), ("trash", Duration::ZERO), ("restore", Duration::ZERO)];
    for round in 0..10 {
        for (operation, longest) in &mut worst {
            // Alternates, so that each move changes the folder.
            let parent = if round % 2 == 0 { json!(elsewhere) } else { Value::Null };
            // Read before the clock starts: each operation changes the etag, but reading it is not part of the
            // operation.
            let etag = ada.get(format!("/v1/files/{top}")).await.status(200)["file"]["etag"].text().to_owned();
            let command = |verb: &str, body: Value| {
                ada.post(format!("/v1/files/{top}/{verb}")).fresh_key().header("if-match", etag.clone()).json(body)
            };
            let request = match *operation {
                "list" => list(&ada, &top),
                "move" => command("move", json!({"parent_id": parent})),
                verb => command(verb, json!({})),
            };
            let begun = Instant::now();
            request.await.status(200);
            *longest = begun.elapsed().max(*longest);
        }
    }
    for (operation, longest) in worst {
        println!("{operation:<8} worst of 10: {:.1} ms", longest.as_secs_f64() * 1e3);
    }
    Ok(())
}

fn list(ada: &Caller, top: &str) -> shared_testing::Request {
    ada.get(format!("/v1/files?parent_id={top}&limit=100"))
}
