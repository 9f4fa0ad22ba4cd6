//! `bench propose-many`: a proposal over fifty files applied in one transaction, compared with as many single applies.
//! It also measures what other writers of the workspace feel meanwhile.

use std::{cell::RefCell, rc::Rc, time::Duration};

use anyhow::{Result, bail};
use clap::Args;
use hdrhistogram::Histogram;
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Response, Text as _};
use tokio::{
    task::LocalSet,
    time::{Instant, sleep},
};

use crate::{document::document, load::Load, process, report, service::UnderLoad};

const FILES: usize = 50;
const CHANGES: usize = 20;
const WRITERS: usize = 4;

#[derive(Args, Clone)]
pub struct Together {
    #[command(flatten)]
    pub load: Load,
    /// Proposals that are applied while others write
    #[arg(long, default_value_t = 20)]
    pub proposals: u32,
}

pub async fn run(together: &Together) -> Result<()> {
    let load = &together.load;
    let service = UnderLoad::start("cloud-svc", cloud_svc::service(), load.servers(), 1).await?;
    let ada = service.first().caller("ada");
    println!("propose-many: {FILES} files with {CHANGES} changes each, {}", load.ground());
    let mut files = Vec::new();
    for _ in 0..FILES {
        let block = |number: usize| json!({"id": format!("b{number}"), "type": "paragraph", "segments": [{"text": "Old words of a block."}]});
        let content = json!({"kind": "docs", "blocks": (0..CHANGES + 5).map(block).collect::<Vec<_>>()});
        let created = ada.post("/v1/documents").fresh_key().json(json!({"name": "Plan", "content": content}));
        files.push(finished(created).await?["file"].clone());
    }
    let mut round = 0;
    let (mut singles, mut wholes) = (Duration::ZERO, Duration::ZERO);
    // The first pays for memory that the others have.
    for measured in 0..=load.rounds {
        let single = apply_each(service.first().pid(), &ada, &mut files, &mut round).await?;
        let (whole, _) = apply_together(service.first().pid(), &ada, &mut files, &mut round).await?;
        if measured > 0 {
            singles += single;
            wholes += whole;
        }
    }
    let of_one = singles / (load.rounds * u32::try_from(FILES)?);
    println!("a single apply: {:.0} µs of processor time", of_one.as_secs_f64() * 1e6);
    println!(
        "a proposal: {:.0} µs of processor time for each of its files",
        (wholes / (load.rounds * u32::try_from(FILES)?)).as_secs_f64() * 1e6
    );
    let (quiet, meanwhile, applies) = writers(together, service.first().pid(), &ada, &mut files, &mut round).await?;
    let p99 = |latencies: &Histogram<u64>| latencies.value_at_quantile(0.99) as f64;
    let spread = |latencies: &Histogram<u64>| {
        let at = |quantile| latencies.value_at_quantile(quantile) as f64 / 1e3;
        format!("p50 {:.2} ms, p99 {:.2} ms", at(0.5), at(0.99))
    };
    println!("{} creates of others alone: {}", quiet.len(), spread(&quiet));
    println!("{} creates of others while a proposal is applied: {}", meanwhile.len(), spread(&meanwhile));
    println!("{} applies meanwhile: {}", applies.len(), spread(&applies));
    report::ratios(&[
        report::ratio("proposal_vs_single_applies", wholes.as_secs_f64(), singles.as_secs_f64()),
        report::ratio("others_p99_meanwhile_vs_alone", p99(&meanwhile), p99(&quiet)),
    ]);
    Ok(())
}

/// Proposes other words for the first blocks of each file; the plans.
async fn propose(ada: &Caller, files: &[Value], round: &mut u32) -> Result<Vec<Value>> {
    *round += 1;
    let replace = |number: usize| {
        let block = json!({"type": "paragraph", "segments": [{"text": format!("Words {round} of block {number}.")}]});
        json!({"op": "replace_block", "block_id": format!("b{number}"), "block": block})
    };
    let operations: Vec<_> = (0..CHANGES).map(replace).collect();
    let mut plans = Vec::new();
    for file in files {
        let path = format!("/v1/files/{}/edit-plans", file["id"].text());
        let request = ada.post(path).fresh_key().header("if-match", file["etag"].text());
        plans.push(finished(request.json(json!({"operations": operations}))).await?["plan"].clone());
    }
    Ok(plans)
}

/// The processor time of applying the plans one by one.
async fn apply_each(pid: u32, ada: &Caller, files: &mut [Value], round: &mut u32) -> Result<Duration> {
    let plans = propose(ada, files, round).await?;
    let before = process::processor_time(pid)?;
    for (file, plan) in files.iter_mut().zip(&plans) {
        let request = ada.post(plan["apply_url"].text()).fresh_key().header("if-match", file["etag"].text());
        *file = finished(request.json(json!({}))).await?["file"].clone();
    }
    Ok(process::processor_time(pid)?.saturating_sub(before))
}

/// The processor time of applying the plans as one proposal, and when that was.
async fn apply_together(
    pid: u32,
    ada: &Caller,
    files: &mut [Value],
    round: &mut u32,
) -> Result<(Duration, (Instant, Instant))> {
    let plans: Vec<_> = propose(ada, files, round)
        .await?
        .iter()
        .map(|plan| json!({"file_id": plan["file_id"], "plan_id": plan["id"]}))
        .collect();
    let request = ada.post("/v1/proposals").fresh_key().json(json!({"title": "Other words", "plans": plans}));
    let proposal = finished(request).await?["proposal"].clone();
    let (path, seen) = (format!("/v1/proposals/{}/apply", proposal["id"].text()), &proposal["proposal_sha256"]);
    let (before, begun) = (process::processor_time(pid)?, Instant::now());
    finished(ada.post(path).fresh_key().json(json!({"proposal_sha256": seen}))).await?;
    let (ended, time) = (Instant::now(), process::processor_time(pid)?.saturating_sub(before));
    for file in files {
        *file = finished(ada.get(format!("/v1/files/{}", file["id"].text()))).await?["file"].clone();
    }
    Ok((time, (begun, ended)))
}

/// The latencies of creates of others, alone and while proposals are applied, and those of the applies.
async fn writers(
    together: &Together,
    pid: u32,
    ada: &Caller,
    files: &mut [Value],
    round: &mut u32,
) -> Result<(Histogram<u64>, Histogram<u64>, Histogram<u64>)> {
    let seen = Rc::new(RefCell::new(Vec::<(Instant, Instant)>::new()));
    let set = LocalSet::new();
    for _ in 0..WRITERS {
        let (seen, ada) = (Rc::clone(&seen), ada.clone());
        set.spawn_local(async move {
            loop {
                let begun = Instant::now();
                let created = ada.post("/v1/documents").fresh_key().json(document(2 * 1024)).await;
                if created.status == 200 {
                    seen.borrow_mut().push((begun, Instant::now()));
                }
            }
        });
    }
    set.run_until(async {
        sleep(together.load.round()).await;
        let alone: Vec<_> = seen.borrow_mut().drain(..).collect();
        let mut windows = Vec::new();
        for _ in 0..together.proposals {
            windows.push(apply_together(pid, ada, files, round).await?.1);
        }
        let overlaps =
            |(begun, ended): &(Instant, Instant)| windows.iter().any(|(from, to)| begun < to && from < ended);
        let meanwhile: Vec<_> = seen.borrow().iter().copied().filter(overlaps).collect();
        Ok((histogram(&alone)?, histogram(&meanwhile)?, histogram(&windows)?))
    })
    .await
}

fn histogram(spans: &[(Instant, Instant)]) -> Result<Histogram<u64>> {
    let mut latencies = Histogram::new_with_bounds(1, 60_000_000, 3)?;
    for (begun, ended) in spans {
        latencies.record(u64::try_from((*ended - *begun).as_micros())?.max(1))?;
    }
    Ok(latencies)
}

async fn finished(request: Request) -> Result<Response> {
    let answer = request.await;
    if answer.status != 200 {
        bail!("refused: {answer}");
    }
    Ok(answer)
}
