//! The largest workbooks: a hundred changes in one, and values computed from many cells.

use std::time::Duration;

use anyhow::{Result, bail};
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Response, Text as _};

use crate::process;

const ROUNDS: u32 = 20;
const ROWS: usize = 2000;
const COLUMNS: usize = 50;

/// Prints the processor time of each; `pid` is the service's.
pub async fn measure(pid: u32, ada: &Caller) -> Result<()> {
    edits(pid, ada).await?;
    let sums = (1..=1000).map(|row| vec![row.to_string(), "=SUM(A$1:A$1000)".to_owned()]).collect();
    let id = create(ada, sums).await?["id"].text().to_owned();
    let range = format!("/v1/spreadsheets/{id}/range?sheet=S&range=B1:B1000&computed=true");
    let time = of_each(pid, async || finished(ada.get(&range)).await.map(drop)).await?;
    println!("1000 cells that each sum 1000, computed: {} of processor time", ms(time));
    let id = create(ada, cells(above)).await?["id"].clone();
    let csv = format!("/v1/spreadsheets/{}/export?sheet=S&computed=true", id.text());
    let time = of_each(pid, async || finished(ada.get(&csv)).await.map(drop)).await?;
    println!("100000 formulas computed, as CSV: {} of processor time", ms(time));
    Ok(())
}

/// 100 000 short cells, of which 10 000 are formulas.
async fn edits(pid: u32, ada: &Caller) -> Result<()> {
    let text = |row, column| if column % 10 == 9 { format!("=A{row}*2") } else { "12".to_owned() };
    let mut file = create(ada, cells(text)).await?;
    let mut round = 0;
    let mut edit = async |operations: Value| {
        let (id, etag) = (file["id"].text(), file["etag"].text().to_owned());
        let propose = ada.post(format!("/v1/files/{id}/edit-plans")).fresh_key().header("if-match", &etag);
        let plan = finished(propose.json(json!({"operations": operations}))).await?["plan"].clone();
        let apply = ada.post(plan["apply_url"].text()).fresh_key().header("if-match", &etag);
        file = finished(apply.json(json!({}))).await?["file"].clone();
        anyhow::Ok(())
    };
    let hundred = of_each(pid, async || {
        round += 1;
        let set = |row: usize| {
            let values = json!([[format!("{round}"), format!("{row}")]]);
            json!({"op": "set_cells", "sheet": "S", "range": format!("B{row}:C{row}"), "values": values})
        };
        edit((1..=50).map(|row| set(row * 40)).collect()).await
    })
    .await?;
    println!("100 cells of 100000 changed, proposed and applied: {} of processor time", ms(hundred));
    let mut inserts = false;
    let moved = of_each(pid, async || {
        inserts = !inserts;
        let op = if inserts { "delete_rows" } else { "insert_rows" };
        edit(json!([{"op": op, "sheet": "S", "row": 2, "count": 1}])).await
    })
    .await?;
    println!("10000 formulas that follow their cells, proposed and applied: {} of processor time", ms(moved));
    Ok(())
}

async fn of_each(pid: u32, mut work: impl AsyncFnMut() -> Result<()>) -> Result<Duration> {
    // The first pays for memory that the others have.
    work().await?;
    let before = process::processor_time(pid)?;
    for _ in 0..ROUNDS {
        work().await?;
    }
    Ok(process::processor_time(pid)?.saturating_sub(before) / ROUNDS)
}

async fn create(ada: &Caller, cells: Vec<Vec<String>>) -> Result<Value> {
    let content = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": cells}]});
    let request = ada.post("/v1/spreadsheets").fresh_key().json(json!({"name": "Largest", "content": content}));
    Ok(finished(request).await?["file"].clone())
}

async fn finished(request: Request) -> Result<Response> {
    let answer = request.await;
    if answer.status != 200 {
        bail!("refused: {answer}");
    }
    Ok(answer)
}

/// The text of each cell, by the number of its row and the index of its column.
fn cells(text: impl Fn(usize, usize) -> String) -> Vec<Vec<String>> {
    (1..=ROWS).map(|row| (0..COLUMNS).map(|column| text(row, column)).collect()).collect()
}

/// A number in the first row, and below it what the cell above has.
fn above(row: usize, column: usize) -> String {
    if row == 1 { "1".to_owned() } else { format!("={}{}", name(column), row - 1) }
}

fn name(column: usize) -> String {
    let letter = |index: usize| char::from(b'A' + u8::try_from(index % 26).unwrap_or_default());
    if column < 26 { letter(column).to_string() } else { format!("A{}", letter(column)) }
}

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
