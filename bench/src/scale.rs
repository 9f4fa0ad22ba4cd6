//! `bench scale`: the cost of a request on an empty database and on a large one, in turns.

use std::{cell::Cell, fs, path::PathBuf, rc::Rc};

use anyhow::{Context as _, Result};
use clap::Args;
use shared_testing::Text as _;
use tokio::time::Instant;

use crate::{
    ceiling, changes,
    document::document,
    load::{self, Load, Measured},
    report,
    service::UnderLoad,
    stock::{self, Size},
};

#[derive(Args, Clone)]
pub struct Scale {
    #[command(flatten)]
    load: Load,
    #[command(flatten)]
    size: Size,
    /// SQL that changes the schema of the full database first, to try partitions or indexes (PostgreSQL)
    #[arg(long, value_name = "FILE", requires = "postgres")]
    alter: Option<PathBuf>,
}

/// Writes the next request.
type Next = Rc<dyn Fn(&mut Vec<u8>)>;

pub async fn run(scale: &Scale) -> Result<()> {
    let load = &scale.load;
    let empty = Side::start(load).await?;
    let full = Side::start(load).await?;
    let begun = Instant::now();
    let database = full.service.first().database_url();
    if let Some(file) = &scale.alter {
        let sql = fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
        changes::execute(&mut changes::connect(database)?, &sql)?;
    }
    stock::fill(database, &scale.size)?;
    let Size { workspaces, files_each, files, .. } = scale.size;
    println!(
        "scale: {} files in {} workspaces, {files} of them in the one that is measured, {}; filled in {:.0} s",
        workspaces * files_each + files,
        workspaces + 1,
        load.ground(),
        begun.elapsed().as_secs_f64()
    );
    report::head();
    let mut ratios = Vec::new();
    for ((name, on_empty), (_, on_full)) in empty.requests().into_iter().zip(full.requests()) {
        let mut totals = [Measured::nothing()?, Measured::nothing()?];
        for _ in 0..load.rounds {
            for ((total, side), next) in totals.iter_mut().zip([&empty, &full]).zip([&on_empty, &on_full]) {
                total.add(&side.send(load, next).await?)?;
            }
        }
        let [few, many] = &totals;
        report::line(&format!("{name}, empty"), few);
        report::line(&format!("{name}, full"), many);
        ceiling::check(load, few).await?;
        // Of latency, not of processor time: PostgreSQL has its own processes.
        let median = |side: &Measured| side.latencies.value_at_quantile(0.5) as f64;
        ratios.push(report::ratio(&format!("scale_{name}"), median(many), median(few)));
    }
    report::ratios(&ratios);
    Ok(())
}

/// A service with one document, whose owner sends all requests.
struct Side {
    service: UnderLoad,
    head: String,
    document: String,
    cursor: String,
}

impl Side {
    async fn start(load: &Load) -> Result<Self> {
        let service = UnderLoad::start("cloud-svc", cloud_svc::service(), load.servers(), 1).await?;
        let ada = service.first().caller("ada");
        // Before the first change, so that both sides answer with one.
        let cursor = ada.get("/v1/changes/cursor").await.status(200)["cursor"].text().to_owned();
        let created = ada.post("/v1/documents").fresh_key().json(document(512)).await.status(200);
        let head = format!(
            " HTTP/1.1\r\nhost: {}\r\naccept: application/json\r\nauthorization: Bearer {}\r\n",
            service.first().address(),
            ada.token()
        );
        Ok(Self { head, document: created["file"]["id"].text().to_owned(), cursor, service })
    }

    fn requests(&self) -> Vec<(&'static str, Next)> {
        let get = |name, path: String| {
            let request = format!("GET {path}{}\r\n", self.head).into_bytes();
            (name, Rc::new(move |next: &mut Vec<u8>| next.extend_from_slice(&request)) as Next)
        };
        let body = document(512).to_string();
        let head = format!(
            "POST /v1/documents{}content-type: application/json\r\ncontent-length: {}\r\nidempotency-key: ",
            self.head,
            body.len()
        );
        let run = shared_model::Random::System.bytes16().map(|byte| format!("{byte:02x}")).concat();
        let number = Cell::new(0_u64);
        let create = move |next: &mut Vec<u8>| {
            number.set(number.get() + 1);
            next.extend_from_slice(format!("{head}{run}-{}\r\n\r\n{body}", number.get()).as_bytes());
        };
        vec![
            get("read", format!("/v1/documents/{}", self.document)),
            get("list", "/v1/files?limit=1".to_owned()),
            // Answers of the same size on both sides: pages of one, and one file with this name.
            get("search", "/v1/search?name_contains=benchmark".to_owned()),
            get("changes", format!("/v1/changes?cursor={}&limit=1", self.cursor)),
            get("versions", format!("/v1/files/{}/versions?limit=1", self.document)),
            ("create", Rc::new(create)),
        ]
    }

    async fn send(&self, load: &Load, next: &Next) -> Result<Measured> {
        let next = Rc::clone(next);
        load::run(&self.service.targets(), load.connections, load.round(), move |bytes| next(bytes)).await
    }
}
