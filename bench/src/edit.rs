//! `bench edit`: proposing and applying an edit, compared with a create; then edits of the largest contents.

use std::{cell::RefCell, rc::Rc, time::Duration};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use hdrhistogram::Histogram;
use serde_json::{Value, json};
use shared_testing::{Caller, Text as _};
use tokio::{net::TcpStream, task::LocalSet, time::Instant};

use crate::{
    ceiling,
    document::document,
    load::{self, Load, Measured},
    process, report,
    service::UnderLoad,
    workbook,
};

#[derive(Args, Clone)]
pub struct Edits {
    #[command(flatten)]
    pub load: Load,
}

pub async fn run(edits: &Edits) -> Result<()> {
    let load = &edits.load;
    let service = UnderLoad::start("cloud-svc", cloud_svc::service(), load.servers(), 1).await?;
    let cloud = service.first();
    let ada = cloud.caller("ada");
    let idle = process::resident_mib(cloud.pid())?;
    println!("edit: one block of a 2 KiB document, {} connections, {}", load.connections, load.ground());
    let mut documents = Vec::new();
    for _ in 0..load.connections {
        documents
            .push(ada.post("/v1/documents").fresh_key().json(document(2 * 1024)).await.status(200)["file"].clone());
    }
    let mut pairs = Measured::nothing()?;
    let mut creates = Measured::nothing()?;
    for round in 0..load.rounds {
        pairs.add(&edited(load, &service, &mut documents, &ada, round).await?)?;
        creates.add(&created(load, &service, &ada, round).await?)?;
    }
    report::head();
    report::line("propose and apply, a pair", &pairs);
    report::line("POST /v1/documents", &creates);
    ceiling::check(load, &creates).await?;
    report::memory(idle, process::resident_mib(cloud.pid())?);
    largest(&ada).await?;
    workbook::measure(cloud.pid(), &ada).await?;
    println!("resident memory after the largest: {:.1} MiB", process::resident_mib(cloud.pid())?);
    report::ratios(&[report::ratio("edit_pairs_vs_creates", pairs.rate(), creates.rate())]);
    Ok(())
}

/// Edits one document per connection for one round.
async fn edited(
    load: &Load,
    service: &UnderLoad,
    documents: &mut [Value],
    ada: &Caller,
    round: u32,
) -> Result<Measured> {
    let mut measured = Measured::nothing()?;
    let (address, token) = (service.first().address(), ada.token());
    let pid = service.first().pid();
    let before = process::processor_time(pid)?;
    let begun = Instant::now();
    let until = begun + load.round();
    let set = LocalSet::new();
    // Each round continues with the files of the last one: their etags have changed.
    let latest = Rc::new(RefCell::new(documents.to_vec()));
    let tasks: Vec<_> = (0..documents.len())
        .map(|index| {
            let (token, latest) = (token.clone(), Rc::clone(&latest));
            set.spawn_local(async move {
                let mut editor = Editor::connect(address, token, format!("{round}-{index}")).await?;
                let mut file = latest.borrow()[index].clone();
                while Instant::now() < until {
                    editor.edit(&mut file).await?;
                }
                latest.borrow_mut()[index] = file;
                anyhow::Ok(editor.latencies)
            })
        })
        .collect();
    set.run_until(async {
        for task in tasks {
            let latencies = task.await??;
            measured.answers += latencies.len();
            measured.latencies.add(&latencies)?;
        }
        anyhow::Ok(())
    })
    .await?;
    measured.elapsed = begun.elapsed();
    measured.processor = process::processor_time(pid)?.saturating_sub(before);
    documents.clone_from_slice(&latest.borrow());
    Ok(measured)
}

/// A connection that alternates between propose and apply.
struct Editor {
    stream: TcpStream,
    token: String,
    name: String,
    number: u64,
    answer: Vec<u8>,
    latencies: Histogram<u64>,
}

impl Editor {
    async fn connect(address: std::net::SocketAddr, token: String, name: String) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let latencies = Histogram::new_with_bounds(1, 60_000_000, 3)?;
        // Random, so that keys differ between runs even if Redis was used before.
        let run = shared_model::Random::System.bytes16().map(|byte| format!("{byte:02x}")).concat();
        Ok(Self { stream, token, name: format!("{run}-{name}"), number: 0, answer: Vec::new(), latencies })
    }

    async fn edit(&mut self, file: &mut Value) -> Result<()> {
        self.number += 1;
        let block = json!({"type": "paragraph", "segments": [{"text": format!("edit {}", self.number)}]});
        let body = json!({"operations": [{"op": "replace_block", "block_id": "block-0", "block": block}]});
        let begun = Instant::now();
        let path = format!("/v1/files/{}/edit-plans", file["id"].text());
        let proposed = self.post(&path, file["etag"].text(), &body).await?;
        let applied = self.post(proposed["plan"]["apply_url"].text(), file["etag"].text(), &json!({})).await?;
        self.latencies.record(u64::try_from(begun.elapsed().as_micros())?.max(1))?;
        *file = applied["file"].clone();
        Ok(())
    }

    async fn post(&mut self, path: &str, etag: &str, body: &Value) -> Result<Value> {
        let body = body.to_string();
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: cloud\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\nif-match: {etag}\r\nidempotency-key: {}-{}\r\n\r\n{body}",
            self.token,
            body.len(),
            self.name,
            self.number
        );
        load::exchange(&mut self.stream, request.as_bytes(), &mut self.answer).await?;
        let start = self.answer.windows(4).position(|window| window == b"\r\n\r\n").context("an answer has a head")?;
        Ok(serde_json::from_slice(&self.answer[start + 4..])?)
    }
}

async fn created(load: &Load, service: &UnderLoad, ada: &Caller, round: u32) -> Result<Measured> {
    let body = document(2 * 1024).to_string();
    let head = format!(
        "POST /v1/documents HTTP/1.1\r\nhost: cloud\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nidempotency-key: ",
        ada.token(),
        body.len()
    );
    let run = shared_model::Random::System.bytes16().map(|byte| format!("{byte:02x}")).concat();
    let mut number = 0;
    load::run(&service.targets(), load.connections, load.round(), move |next| {
        number += 1;
        next.extend_from_slice(format!("{head}{run}-{round}-{number}\r\n\r\n{body}").as_bytes());
    })
    .await
}

/// Creates the largest contents allowed; measures proposing and applying an edit of one part.
// Largest contents show the worst case: each edit parses and checks the whole content.
async fn largest(ada: &Caller) -> Result<()> {
    let text = "w".repeat(3_700);
    let block = |number: usize| json!({"id": format!("b{number}"), "type": "paragraph", "segments": [{"text": text}]});
    let blocks: Vec<_> = (0..200).map(block).collect();
    let cells = vec![vec!["word.".to_owned(); 64]; 1_900];
    let cases = [
        (
            "documents",
            json!({"kind": "docs", "blocks": blocks}),
            json!({"op": "replace_text", "block_id": "b7", "find": text, "replace": "short", "expected_count": 1}),
        ),
        (
            "spreadsheets",
            json!({"kind": "sheets", "sheets": [{"name": "S", "cells": cells}]}),
            json!({"op": "set_cells", "sheet": "S", "range": "B2", "values": [["=SUM(A1:A9)"]]}),
        ),
        ("notes", json!({"title": "t", "content": "word ".repeat(100_000)}), json!({"op": "append_text", "text": ""})),
    ];
    for (collection, content, mut operation) in cases {
        let mut worst = [Duration::ZERO; 3];
        for round in 0..10 {
            let body = json!({"name": "Largest", "content": content});
            let begun = Instant::now();
            let created = ada.post(format!("/v1/{collection}")).fresh_key().json(body).await;
            worst[0] = worst[0].max(begun.elapsed());
            if created.status != 200 {
                bail!("the largest of {collection} was refused: {created}");
            }
            if collection == "notes" {
                operation = json!({"op": "set_title", "title": format!("t{round}")});
            }
            let etag = created["file"]["etag"].text().to_owned();
            let path = format!("/v1/files/{}/edit-plans", created["file"]["id"].text());
            let begun = Instant::now();
            let propose = ada.post(path).fresh_key().header("if-match", etag.clone());
            let plan = propose.json(json!({"operations": [operation]})).await.status(200);
            worst[1] = worst[1].max(begun.elapsed());
            let begun = Instant::now();
            let apply = ada.post(plan["plan"]["apply_url"].text()).fresh_key().header("if-match", etag);
            apply.json(json!({})).await.status(200);
            worst[2] = worst[2].max(begun.elapsed());
        }
        let [create, propose, apply] = worst.map(|time| time.as_secs_f64() * 1e3);
        let bytes = content.to_string().len();
        println!(
            "largest of {collection}, {bytes} bytes, worst of 10: create {create:.0} ms, propose {propose:.0} ms, apply {apply:.0} ms"
        );
    }
    Ok(())
}
